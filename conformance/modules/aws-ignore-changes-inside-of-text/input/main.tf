resource "aws_s3_bucket" "x" {
  lifecycle { ignore_changes = [arn, tags["a"], bucket.x] }
}
