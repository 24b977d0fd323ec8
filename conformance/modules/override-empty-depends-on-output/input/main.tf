output "o" { 
  value = 1
  depends_on = []
}
module "m" { source = "./m" }
