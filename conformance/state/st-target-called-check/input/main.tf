resource "terraform_data" "check" {
  input = terraform_data.data.id
}

resource "terraform_data" "data" {
  input = "data"
}

resource "terraform_data" "module" {
  input = "module"
}

resource "terraform_data" "output" {
  input = "output"
}

resource "terraform_data" "resource" {
  input = module.check.id
}

module "check" {
  source = "./check"
}

check "module" {
  assert {
    condition     = terraform_data.module.input == "other"
    error_message = "The input is not the other one."
  }
}
