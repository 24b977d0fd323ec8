moved {
  from = local.v
  to = local.a
}
