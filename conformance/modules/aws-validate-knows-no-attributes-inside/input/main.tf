resource "aws_s3_bucket" "x" { }
output "a" { value = aws_s3_bucket.x.versioning[*].nope }
