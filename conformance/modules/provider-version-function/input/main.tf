provider "terraform" {
  version = upper("1.0")
}
