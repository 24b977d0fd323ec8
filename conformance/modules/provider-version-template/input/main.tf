provider "terraform" {
  version = "${"1"}.0"
}
