variable "v" { default = "a" }
provider "terraform" { alias = var.v }
