variables {
  a = var.x
  b = local.y
  c = upper("x")
  d = run.x.y
}
