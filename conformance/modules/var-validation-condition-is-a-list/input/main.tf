variable "v" { 
  default = true
  validation {
    condition = [var.v]
    error_message = "a"
  }
}
