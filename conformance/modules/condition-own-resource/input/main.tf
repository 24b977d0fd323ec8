resource "terraform_data" "x" {
  lifecycle {
    precondition {
      condition = terraform_data.x.id != ""
      error_message = "X."
    }
  }
}
