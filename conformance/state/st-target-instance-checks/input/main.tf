resource "terraform_data" "c" {
  for_each = toset(["a", "b"])
  input    = each.key

  lifecycle {
    precondition {
      condition     = each.key != ""
      error_message = "A key."
    }
  }
}
