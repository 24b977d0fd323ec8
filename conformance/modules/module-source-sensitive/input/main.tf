variable "s" { 
  default = "m" 
  sensitive = true
}
module "c" {
  source = "./${var.s}"
}
