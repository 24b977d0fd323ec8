output "n" { value = tofu }
