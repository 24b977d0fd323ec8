variable "environment" {
  description = "Where this fleet runs."
  type        = string
  default     = "staging"

  validation {
    condition     = contains(["staging", "production"], var.environment)
    error_message = "The environment is \"staging\" or \"production\", not \"${var.environment}\"."
  }
}

variable "services" {
  description = "What runs, by short name."
  type = map(object({
    port     = number
    replicas = optional(number, 2)
    memory   = optional(number, 512)
    public   = optional(bool, false)
    needs    = optional(set(string), [])
    settings = optional(map(string), {})
  }))

  validation {
    condition = alltrue([
      for name, service in var.services : service.port > 1023 && service.port < 65536
    ])
    error_message = "Ports lie between 1024 and 65535: ${join(", ", [
      for name, service in var.services : "${name} has ${service.port}" if service.port < 1024 || service.port > 65535
    ])}."
  }

  validation {
    condition = alltrue([
      for service in var.services : length(setsubtract(service.needs, keys(var.services))) == 0
    ])
    error_message = "A service needs only services of this fleet."
  }
}

variable "domain" {
  description = "The domain of public services."
  type        = string
  nullable    = false
  default     = "example.net"
}

variable "budget" {
  description = "Memory that one machine offers, in MiB."
  type        = number
  default     = 8192
}

variable "owners" {
  description = "Who is called at night, in order."
  type        = list(string)
  default     = []
}
