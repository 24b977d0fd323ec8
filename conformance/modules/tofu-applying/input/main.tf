locals { a = tofu.applying }
output "n" { value = ephemeralasnull(tofu.applying) }
