output "addresses" {
  description = "Where the public services answer."
  value = {
    for name in local.public :
    name => "https://${module.naming.hosts[name]}.${var.domain}:${var.services[name].port}"
  }
}

output "machines" {
  description = "How many machines the fleet fills, and how full they are."
  value = {
    count = local.machines
    share = floor(sum(values(local.memory)) / (local.machines * var.budget) * 1000) / 10
  }
}

output "sizes" {
  value = local.by_size
}

output "needed_by" {
  value = { for name, others in local.needed_by : name => join(" and ", others) if length(others) > 0 }
}

output "environment_of_api" {
  description = "What the process finds in its environment, as JSON."
  value = jsonencode(merge(
    { PORT = tostring(var.services["api"].port), NAME = module.naming.hosts.api },
    var.services["api"].settings,
  ))
}

output "on_call" {
  value = try("${upper(substr(var.owners[0], 0, 1))}. and ${length(var.owners) - 1} more", "nobody")
}

output "summary" {
  value = <<-EOT
    ${title(var.environment)}: ${length(var.services)} services on ${local.machines} machines
    %{for name, service in var.services}- ${format("%-6s", name)} ${local.replicas[name]} x ${service.memory} MiB%{if service.public}, public%{endif}
    %{endfor~}
  EOT
}

output "ports" {
  value = values(var.services)[*].port
}
