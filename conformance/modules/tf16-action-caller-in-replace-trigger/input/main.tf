terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [caller.x]
  }
}
