module "m" {
  source = "./m"
  count  = 2
}

output "m" {
  value = length(module.m)
}

output "ms" {
  value = try(module.m[1].s, "none")
}
