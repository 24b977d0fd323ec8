variable "v" {
  default = "a"
  validation {
    condition     = var.v == "a"
    error_message = "x"
  }
}
module "d" {
  source = "./d"
  w      = "z"
}
