resource "terraform_data" "a" {
  triggers_replace = 2
  input = "z"
  store {
    input = "y"
    version = 2
    replace = true
  }
}
