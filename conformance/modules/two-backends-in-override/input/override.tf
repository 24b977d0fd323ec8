terraform {
  backend "local" {}
}
terraform {
  backend "local" { 
    path = "x" 
  }
}
