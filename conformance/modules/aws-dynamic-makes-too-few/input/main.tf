resource "aws_lb_listener" "x" {
  load_balancer_arn = "a"
  dynamic "default_action" {
    for_each = []
    content {
      type = "forward"
    }
  }
}
