provider "terraform" {
  version = "latest"
}
