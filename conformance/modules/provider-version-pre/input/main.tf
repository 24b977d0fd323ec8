provider "terraform" {
  version = "~> 1.0, < 2.0-beta1"
}
