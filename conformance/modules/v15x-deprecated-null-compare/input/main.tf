module "a" {
  source = "./a"
}
output "x" {
  value = module.a.old == null
}
output "y" {
  value = module.a == null
}
output "z" {
  value = { a = module.a.old } == null
}
