variable "w" { default = "nosuch" }
data "terraform_remote_state" "s" {
  backend = var.w
}
