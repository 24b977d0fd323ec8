locals {
  is_here = false
}
data "terraform_remote_state" "s3" {
  count   = local.is_here ? 1 : 0
  backend = "s3"
  config = {
    bucket                      = "b"
    key                         = "k"
    region                      = "us-east-1"
    encrypt                     = "true"
    allowed_account_ids         = ["1"]
    skip_credentials_validation = null
    assume_role                 = { role_arn = "arn:aws:iam::123456789012:role/r" }
  }
}
data "terraform_remote_state" "remote" {
  count   = local.is_here ? 1 : 0
  backend = "remote"
  config  = { organization = "o", workspaces = { name = "x" } }
}
data "terraform_remote_state" "http" {
  count   = local.is_here ? 1 : 0
  backend = "http"
  config  = { address = "http://localhost/", retry_max = "2" }
}
data "terraform_remote_state" "oss" {
  count   = local.is_here ? 1 : 0
  backend = "oss"
  config  = { bucket = "b-1", assume_role = [{ role_arn = "x" }] }
}
output "n" { value = length(data.terraform_remote_state.s3) }
