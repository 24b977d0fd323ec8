moved {
  from = module
  to = terraform_data.a
}
