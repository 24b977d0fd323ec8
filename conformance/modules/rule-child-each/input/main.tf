module "c" {
  source   = "./c"
  for_each = toset(["a", "b"])
  v        = each.key
  w        = "b"
}
