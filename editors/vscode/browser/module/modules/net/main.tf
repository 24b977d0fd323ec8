variable "name" {
  type = string
}

variable "range" {
  type = string

  validation {
    condition     = can(cidrhost(var.range, 0))
    error_message = "The range has to be a prefix of addresses."
  }
}

output "usable" {
  value = "${var.name}: ${cidrhost(var.range, 1)} to ${cidrhost(var.range, -2)}"
}
