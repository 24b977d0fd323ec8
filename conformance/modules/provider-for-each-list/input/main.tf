provider "terraform" {
  alias = "x"
  for_each = ["a"]
}
