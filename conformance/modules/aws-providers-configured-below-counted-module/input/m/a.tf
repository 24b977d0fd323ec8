module "n" { source = "./n" }
