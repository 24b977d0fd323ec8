module "a" {
  source = "./a"
}
resource "terraform_data" "r" {
  lifecycle {
    precondition {
      condition = module.a.old == "o"
      error_message = "no ${module.a.old}"
    }
  }
}
