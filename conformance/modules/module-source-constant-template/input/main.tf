module "m" { source = "./${"m"}" }
