provider "terraform" {
  token = local.none
}
