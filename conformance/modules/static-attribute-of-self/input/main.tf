resource "terraform_data" "x" {
  lifecycle {
    postcondition {
      condition = self.nope != ""
      error_message = "X."
    }
  }
}
