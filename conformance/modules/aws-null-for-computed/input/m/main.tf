variable "n" {
  type    = string
  default = null
}
resource "aws_s3_bucket" "x1_in_module_var" {
  arn = var.n
}
