provider "terraform" { alias = "a b" }
