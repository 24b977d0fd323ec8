data "terraform_remote_state" "stray" {
  backend = "s3"
  config  = { bucket = "b", key = "k", region = "us-east-1", foo = "x" }
}
data "terraform_remote_state" "type" {
  backend = "s3"
  config  = { bucket = ["b"], key = "k", region = "us-east-1" }
}
data "terraform_remote_state" "truth" {
  backend = "s3"
  config  = { bucket = "b", key = "k", region = "us-east-1", encrypt = "yes" }
}
data "terraform_remote_state" "missing" {
  backend = "s3"
  config  = { bucket = "b" }
}
data "terraform_remote_state" "object" {
  backend = "s3"
  config  = { bucket = "b", key = "k", region = "us-east-1", assume_role = "x" }
}
data "terraform_remote_state" "untold" {
  backend = "s3"
}
data "terraform_remote_state" "empty" {
  backend = "gcs"
  config  = {}
}
data "terraform_remote_state" "null" {
  backend = "gcs"
  config  = null
}
data "terraform_remote_state" "stray_null" {
  backend = "local"
  config  = { foo = null }
}
data "terraform_remote_state" "blocks" {
  backend = "remote"
  config  = { organization = "o", workspaces = [{ name = "x" }] }
}
data "terraform_remote_state" "inside_block" {
  backend = "remote"
  config  = { organization = "o", workspaces = { nam = "x" } }
}
data "terraform_remote_state" "inside_blocks" {
  backend = "oss"
  config  = { bucket = "b-1", assume_role = [{ role_arn = "x", foo = 1 }] }
}
data "terraform_remote_state" "map" {
  backend = "local"
  config  = tomap({ path = "x", foo = "y" })
}
data "terraform_remote_state" "sensitive" {
  backend = "gcs"
  config  = { bucket = "b", prefix = sensitive(["x"]) }
}
# What is not known yet is not looked at.
data "terraform_remote_state" "waits" {
  backend = "local"
  config  = { foo = terraform_data.x.id }
}
resource "terraform_data" "x" {}
