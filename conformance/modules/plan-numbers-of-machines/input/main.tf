output "difference" { value = log(100, 2) - 10 }
output "quotient" { value = 1 / pow(2, 60) }
output "element" { value = [log(100, 2) - 10] }
output "written_out" { value = 0.1000000000000000055511151231257827021181583404541015625 }
output "too_many_bits" { value = log(2, 10) + 1 }
output "whole" { value = 2 * pow(2, 99) }
output "text" { value = jsonencode(log(100, 2) - 10) }
