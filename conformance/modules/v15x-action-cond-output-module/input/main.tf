module "m" {
 source = "./m"
}
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    action_trigger {
      events = [after_create]
      condition = module.m.o
      actions = [action.acme_notify.n]
    }
  }
}
action "acme_notify" "n" {
  config {
    message = "m"
  }
}
