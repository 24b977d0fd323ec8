variable "release" {
  description = "Which Ubuntu the image starts from"
  type        = string
  default     = "24.04"

  validation {
    condition     = can(regex("^\\d\\d\\.04$", var.release))
    error_message = "Only releases with long support, such as 24.04."
  }
}

variable "disk" {
  type    = number
  default = 8
}

variable "packages" {
  type    = list(string)
  default = ["nginx", "curl"]
}

locals {
  name = "ubuntu-${var.release}"
  url  = "https://cloud-images.ubuntu.com/releases/${var.release}/release/${local.name}-server.img"
}
