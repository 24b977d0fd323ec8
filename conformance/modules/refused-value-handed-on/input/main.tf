variable "n" {
  type = number
  default = 1
  validation {
    condition = var.n > 3
    error_message = "too small"
  }
}
module "a" {
  source = "./a"
  n = var.n
}
