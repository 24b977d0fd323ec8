provider "terraform" {
  alias = "spare"
  dynamic "x" {
    foo = 1
  }
  dynamic {
  }
}
resource "terraform_data" "a" {}
