terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = "x"
  }
}
