variable "k" {
  const = true
  type = object({ dir = string, v = optional(string, "b") })
  default = { dir = "a" }
}
module "m" {
  source = "./${var.k.dir}"
}
module "n" {
  source = "./${var.k.v}"
}
output "x" {
  value = [module.m.x, module.n.x]
}
