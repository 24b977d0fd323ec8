resource "terraform_data" "src" {
  triggers_replace = "new"
}
resource "terraform_data" "a" {
  input = { k = terraform_data.src.id }
}
resource "terraform_data" "whole" {
  input = terraform_data.src.id
}
resource "terraform_data" "was_in_output" {
  lifecycle { replace_triggered_by = [terraform_data.a.output.x] }
}
resource "terraform_data" "not_in_output" {
  lifecycle { replace_triggered_by = [terraform_data.a.output.y] }
}
resource "terraform_data" "not_in_output_deep" {
  lifecycle { replace_triggered_by = [terraform_data.a.output.y.z] }
}
resource "terraform_data" "not_in_text" {
  lifecycle { replace_triggered_by = [terraform_data.whole.output.y] }
}
resource "terraform_data" "not_in_text_input" {
  lifecycle { replace_triggered_by = [terraform_data.whole.input.y] }
}
resource "terraform_data" "index_in_output" {
  lifecycle { replace_triggered_by = [terraform_data.a.output[0]] }
}
resource "terraform_data" "created" {
  input = terraform_data.src.id
}
resource "terraform_data" "from_created" {
  lifecycle { replace_triggered_by = [terraform_data.created.output.y] }
}
resource "terraform_data" "from_created_input" {
  lifecycle { replace_triggered_by = [terraform_data.created.input] }
}
resource "terraform_data" "from_created_missing" {
  lifecycle { replace_triggered_by = [terraform_data.created.triggers_replace.q] }
}
resource "terraform_data" "known_new" {
  lifecycle { replace_triggered_by = [terraform_data.a.input.k] }
}
resource "terraform_data" "known_never" {
  lifecycle { replace_triggered_by = [terraform_data.a.input.never] }
}
