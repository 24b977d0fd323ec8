variable "v" { default = true }
removed {
  from = terraform_data.a
  lifecycle { destroy = var.v }
}
