terraform {
  required_providers {
    toy = { source = "hashicorp/toy" }
  }
}
action "toy_ring" "bell" {
  config {
    text = terraform_data.b.input
  }
}
resource "terraform_data" "a" {
  input="x"
  lifecycle {
    action_trigger {
      events = [after_create]
      condition = terraform_data.c.input == "x"
      actions = [action.toy_ring.bell]
    }
  }
}
resource "terraform_data" "b" {
  input = "x"
}
resource "terraform_data" "c" {
  input = "x"
}
resource "terraform_data" "d" {
  input = "x"
}
