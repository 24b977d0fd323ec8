module "a" { source = "./m" }
removed {
  from = module.a
  lifecycle { destroy = false }
}
