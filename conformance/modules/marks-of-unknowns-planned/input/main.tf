resource "terraform_data" "m" {
  input = { b = true, n = 1, l = tolist(["a"]), t = tomap({ a = "b" }) }
}
locals {
  t = "x"
}
resource "terraform_data" "r0" {
  input = !sensitive(terraform_data.m.output.b)
}
resource "terraform_data" "r1" {
  input = lookup(terraform_data.m.output.t, sensitive("a"), "d")
}
resource "terraform_data" "r2" {
  input = tolist(sensitive(terraform_data.m.output.l))
}
resource "terraform_data" "r3" {
  input = abs(sensitive(terraform_data.m.output.n))
}
resource "terraform_data" "r4" {
  input = templatestring(local.t, sensitive(terraform_data.m.output.t))
}
resource "terraform_data" "r5" {
  input = base64decode(sensitive(terraform_data.m.id))
}
resource "terraform_data" "r6" {
  input = terraform_data.m.output.l[sensitive(0)]
}
resource "terraform_data" "r7" {
  input = { (sensitive(terraform_data.m.id)) = 1 }
}
resource "terraform_data" "r8" {
  input = concat([sensitive("a")], terraform_data.m.output.l)
}
resource "terraform_data" "r9" {
  input = coalesce(sensitive(["", terraform_data.m.id])...)
}
resource "terraform_data" "r10" {
  input = element(sensitive(terraform_data.m.output.l), 0)
}
resource "terraform_data" "r11" {
  input = merge({ a = sensitive(1) }, { a = 2 })
}
resource "terraform_data" "r12" {
  input = keys(sensitive(terraform_data.m.output.t))
}
resource "terraform_data" "r13" {
  input = "${terraform_data.m.id}${sensitive("a")}"
}

