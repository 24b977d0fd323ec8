terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  count = 2
  config {
    text = "n-${count.index}"
  }
}
