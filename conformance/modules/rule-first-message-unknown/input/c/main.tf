resource "terraform_data" "r" {}
variable "v" {
  validation {
    condition     = var.v == "a"
    error_message = "x ${terraform_data.r.id}"
  }
  validation {
    condition     = length(var.v) > 3
    error_message = "y"
  }
}
