import {
  to = terraform_data.a[0]
  id = "x"
}
