resource "aws_s3_bucket" "x" { }
locals { b = aws_s3_bucket.x }
output "a" { value = local.b.nope }
