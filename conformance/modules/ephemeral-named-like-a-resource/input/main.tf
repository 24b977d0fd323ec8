provider "aws" {
  region                      = "eu-central-1"
  access_key                  = "a"
  secret_key                  = "s"
  skip_credentials_validation = true
  skip_requesting_account_id  = true
  skip_metadata_api_check     = true
}
resource "aws_ssm_parameter" "arn" {
  name  = "arn"
  type  = "String"
  value = "v"
}
resource "aws_ssm_parameter" "x" {
  name  = "x"
  type  = "String"
  value = "v"
}
ephemeral "aws_ssm_parameter" "x" {
  count = 2
  arn   = "${aws_ssm_parameter.arn.arn}${aws_ssm_parameter.x.name}"
}
locals {
  e    = ephemeral.aws_ssm_parameter.x[0].value
  both = aws_ssm_parameter.x.arn
}
resource "aws_ssm_parameter" "user" {
  name             = local.both
  type             = "String"
  value_wo         = local.e
  value_wo_version = 1
}
