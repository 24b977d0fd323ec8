variable "x" {
  default = 1
  deprecated = "X."
}
variable "y" {
  default = 1
  deprecated = "Y."
}
variable "z" {
  default = 1
  deprecated = "Z."
}
