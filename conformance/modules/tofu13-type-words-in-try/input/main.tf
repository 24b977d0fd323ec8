output "try" {
  value = try(string, 7)
}

output "can" {
  value = can(number)
}

output "unused" {
  value = true ? 1 : bool
}

output "bound" {
  value = [for string in ["a"] : convert(string, string)]
}
