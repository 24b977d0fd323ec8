provider "terraform" {
  token = local.none
}
output "a" { value = 1 }
