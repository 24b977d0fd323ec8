moved {
  from = terraform_data
  to = terraform_data.a
}
