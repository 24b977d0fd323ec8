variable "e" {
  default = true
  ephemeral = true
}
resource "terraform_data" "a" {
  store {
    input = 1
    sensitive = sensitive(true)
    replace = sensitive(false)
  }
}
