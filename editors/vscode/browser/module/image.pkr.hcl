variable "release" {
  type    = string
  default = "24.04"
}

locals {
  image = "site-${replace(var.release, ".", "-")}"
}

source "null" "box" {
  communicator = "none"
}

build {
  name    = local.image
  sources = ["source.null.box"]
}
