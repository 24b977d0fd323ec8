provider "terraform" {
  lifecycle { }
}
