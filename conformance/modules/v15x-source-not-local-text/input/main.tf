variable "k" {
  const = true
  default = "a"
}
module "m" {
  source = var.k
}
