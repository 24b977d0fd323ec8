module "b" { source = "./b" }
module "c" {
  source = "./${module.b.x}"
}
