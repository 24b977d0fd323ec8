locals { c = terraform_data.a.id == "" }
resource "terraform_data" "a" {
  lifecycle { prevent_destroy = local.c }
}
