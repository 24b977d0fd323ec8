resource "terraform_data" "y" { for_each = toset(["a"]) }
resource "terraform_data" "z" {
  for_each = toset(["b"])
  lifecycle {
    replace_triggered_by = [terraform_data.y[each.key].id]
  }
}
