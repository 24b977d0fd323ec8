module "a" {
  source = "./a"
}
output "x" {
  value = merge({ a = 1 }, { b = module.a.old })
}
output "y" {
  value = length([module.a.old])
}
output "z" {
  value = [for k, v in { a = module.a.old } : k]
}
output "w" {
  value = { for k in ["q"] : k => module.a.old }
}
