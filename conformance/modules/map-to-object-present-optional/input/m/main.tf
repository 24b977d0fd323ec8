variable "p" {
  type = object({ name = string, more = optional(list(string)) })
}
variable "q" {
  type = object({ name = string, more = optional(list(string)) })
}
