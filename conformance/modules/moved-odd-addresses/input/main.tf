moved {
  from = terraform_data
  to = terraform_data.y
}
moved {
  from = terraform_data.a.id
  to = terraform_data.y
}
moved {
  from = terraform_data.a[count.index]
  to = terraform_data.y
}
moved {
  from = terraform_data.a
  to = terraform_data.y
  foo = 1
  bar {}
}
