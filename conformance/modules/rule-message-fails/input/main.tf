variable "b" {
  default = 1
  validation {
    condition     = var.b == 2
    error_message = var.b[0]
  }
}
variable "c" {
  default = 1
  validation {
    condition     = var.c == 2
    error_message = "x ${upper([])}"
  }
}
variable "d" {
  default = 1
  validation {
    condition     = var.d == 2
    error_message = null
  }
}
variable "e" {
  default = 1
  validation {
    condition     = var.e == 2
    error_message = ""
  }
}
module "m" {
  source = "./m"
  v = 1
}
