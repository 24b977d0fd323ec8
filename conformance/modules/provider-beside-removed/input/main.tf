provider "terraform" {
  alias = "spare"
  token = local.none
}
removed {
  from = terraform_data.a
  lifecycle { destroy = false }
}
