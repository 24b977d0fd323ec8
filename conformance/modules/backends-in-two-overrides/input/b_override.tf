terraform {
  backend "local" {
    path = "y.tfstate"
  }
}
