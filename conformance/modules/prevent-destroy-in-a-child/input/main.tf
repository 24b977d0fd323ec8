module "m" { 
  source = "./m" 
  p = "maybe"
}
