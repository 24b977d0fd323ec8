provider "terraform" {
  version = null
}
