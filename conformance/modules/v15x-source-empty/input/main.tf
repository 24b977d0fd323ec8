variable "k" {
  const = true
  default = ""
}
module "m" {
  source = var.k
}
