module "a" {
  source = "./a"
}
output "x" {
  value = {
    a = 1
    b = [
      2,
      module.a.old,
    ]
    (module.a.new) = upper(
      module.a.old
    )
  }
}
