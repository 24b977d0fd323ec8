provider "terraform" {
  version = 1
}
