variable "e" {
  ephemeral = true
  default   = "x"
}
module "c" {
  source = "./c"
  e      = var.e
}
