module "m" { source = "./m" }
resource "terraform_data" "x" { depends_on = [module.m.a.b] }
