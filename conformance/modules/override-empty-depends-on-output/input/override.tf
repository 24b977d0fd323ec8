output "o" {
  depends_on = [ ]
}
module "m" {
  depends_on = []
}
