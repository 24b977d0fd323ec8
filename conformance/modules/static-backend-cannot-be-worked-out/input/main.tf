terraform {
  backend "local" {
    path = "${1 + "x"}.tfstate"
  }
}
