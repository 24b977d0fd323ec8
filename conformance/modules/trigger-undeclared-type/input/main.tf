resource "terraform_data" "z" {
  lifecycle {
    replace_triggered_by = [aws_nope.nonesuch.input, terraform_data.q["a"]]
  }
}
