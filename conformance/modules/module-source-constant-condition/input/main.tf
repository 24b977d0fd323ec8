module "m" { source = true ? "./m" : "./n" }
