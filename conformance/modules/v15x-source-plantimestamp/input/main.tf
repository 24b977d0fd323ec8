module "m" {
  source = plantimestamp() != "" ? "./a" : "./b"
}
