# A fleet of services on paper: everything here follows from the variables, no provider is asked.

module "naming" {
  source = "./modules/naming"

  prefix = "fleet"
  parts  = keys(var.services)
  stage  = var.environment
}

locals {
  production = var.environment == "production"

  # Production doubles what a service asks for, and nothing runs alone there.
  replicas = {
    for name, service in var.services :
    name => local.production ? max(2, service.replicas * 2) : service.replicas
  }

  memory = { for name, service in var.services : name => local.replicas[name] * service.memory }

  machines = ceil(sum(values(local.memory)) / var.budget)

  public = toset([for name, service in var.services : name if service.public])

  # Who is needed by whom: the other direction of `needs`.
  needed_by = {
    for name in keys(var.services) : name => sort([
      for other, service in var.services : other if contains(service.needs, name)
    ])
  }

  by_size = {
    for name, memory in local.memory :
    memory > 4000 ? "large" : memory > 1500 ? "medium" : "small" => name...
  }
}
