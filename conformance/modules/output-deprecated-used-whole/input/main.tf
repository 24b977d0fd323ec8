module "m" { source = "./m" }
module "n" {
  source = "./n"
  v      = module.m
}
locals {
  whole = module.m
  index = module.m["a"]
  part  = module.m.c.z
  all   = [for k, v in module.m : v]
  named = module.m[*].a
  fine  = module.m.b
  keys  = keys(module.m)
}
output "whole" { value = module.m }
output "told_before" { value = local.whole }
output "text" { value = jsonencode(module.m) }
output "text_before" { value = "${local.whole.a} ${module.n.handed.a}" }
output "through" { value = module.n.through }
resource "terraform_data" "count" { count = module.m.a == "x" ? 1 : 0 }
resource "terraform_data" "body" { input = module.m.a }
output "others" { value = [local.index, local.part, local.all, local.named, local.fine, local.keys] }
