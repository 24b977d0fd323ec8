module "m" { source = "../m" }
variable "v" { default = null }
output "through" {
  value      = module.m.a
  deprecated = "use nothing"
}
output "handed" { value = var.v }
