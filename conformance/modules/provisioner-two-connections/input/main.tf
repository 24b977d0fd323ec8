resource "terraform_data" "x" {
  connection { host = "a" }
  connection { host = "b" }
}
