variable "a" {
  default = 1
  foo = 1
}
module "m" {
  source = "./m"
}
