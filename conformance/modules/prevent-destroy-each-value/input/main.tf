resource "terraform_data" "a" {
  for_each = { a = true }
  lifecycle { 
    prevent_destroy = each.value
  }
}
