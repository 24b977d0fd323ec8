output "x" { value = "b" }
