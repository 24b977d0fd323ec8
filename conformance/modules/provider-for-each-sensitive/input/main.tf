variable "s" { 
  default = ["a"]
  sensitive = true
}
provider "terraform" {
  alias = "x"
  for_each = toset(var.s)
}
