resource "terraform_data" "b" {
  depends_on = null
}
