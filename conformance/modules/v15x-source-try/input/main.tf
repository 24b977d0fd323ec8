variable "v" {
  default = "a"
}
module "m" {
  source = try("./${var.v}", "./a")
}
