module "a" { source = "./m" }
moved {
  from = module.a
  to = module.a.module.b
}
