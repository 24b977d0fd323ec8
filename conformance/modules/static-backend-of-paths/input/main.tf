terraform {
  backend "local" {
    path = "${path.module}/${terraform.workspace}/${basename(var.name)}.tfstate"
  }
}
variable "name" {
  default = "a/q"
}
