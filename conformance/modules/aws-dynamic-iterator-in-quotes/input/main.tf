resource "aws_security_group" "g" {
  dynamic "ingress" {
    for_each = [1]
    iterator = "it"
    content {
      from_port = it.value
      to_port   = it.value
      protocol  = "tcp"
    }
  }
}
