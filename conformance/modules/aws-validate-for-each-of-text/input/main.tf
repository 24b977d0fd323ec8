resource "aws_s3_bucket" "x" { }
resource "aws_s3_bucket" "y" {
  for_each = aws_s3_bucket.x.arn
}
