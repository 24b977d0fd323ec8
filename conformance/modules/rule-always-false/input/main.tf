variable "v" {
  type = string
  validation {
    condition     = var.v == "a" && false
    error_message = "x"
  }
}
module "c" {
  source = "./c"
  v      = var.v
}
