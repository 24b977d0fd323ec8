packer {
  required_version = ">= 1.10"
  required_plugins {
    qemu = {
      source  = "github.com/hashicorp/qemu"
      version = "~> 1"
    }
  }
}

source "qemu" "cloud" {
  vm_name   = "${local.name}.img"
  disk_size = "${var.disk}G"
  iso_url   = local.url
}

build {
  name    = "image"
  sources = ["source.qemu.cloud"]

  provisioner "shell" {
    inline = [for package in var.packages : "apt-get install -y ${package}"]
  }

  post-processor "checksum" {
    checksum_types = ["sha256"]
    output         = "${local.name}.sum"
  }
}
