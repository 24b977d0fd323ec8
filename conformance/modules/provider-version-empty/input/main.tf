provider "terraform" {
  version = ""
}
