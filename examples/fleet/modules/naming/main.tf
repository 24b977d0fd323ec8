# Names that fit everywhere: lower case, hyphens, at most `limit` characters.

variable "prefix" {
  type = string
}

variable "stage" {
  type = string
}

variable "parts" {
  type = set(string)
}

variable "limit" {
  type    = number
  default = 16
}

locals {
  short = substr(var.stage, 0, 4)
}

output "hosts" {
  value = {
    for part in var.parts :
    part => trimsuffix(substr(lower("${var.prefix}-${part}-${local.short}"), 0, var.limit), "-")
  }
}
