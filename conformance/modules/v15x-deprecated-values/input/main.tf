module "a" {
  source = "./a"
}
output "x" {
  value = values(module.a)
}
output "y" {
  value = keys(module.a)
}
output "z" {
  value = { for k, v in module.a : k => v }
}
