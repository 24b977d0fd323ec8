variable "n" {
  type    = string
  default = null
}
variable "u" {
  type    = string
  default = "u"
}
variable "e" {
  default = {}
}
variable "one" {
  default = { a = 1 }
}
locals {
  n  = null
  vn = var.n
}
resource "terraform_data" "t" {}
resource "aws_s3_bucket" "l01_literal" {
  arn = null
}
resource "aws_s3_bucket" "l02_var_null" {
  arn = var.n
}
resource "aws_s3_bucket" "l03_local_null" {
  arn = local.n
}
resource "aws_s3_bucket" "l04_local_var" {
  arn = local.vn
}
resource "aws_s3_bucket" "l05_cond_known" {
  arn = true ? null : "x"
}
resource "aws_s3_bucket" "l06_cond_var" {
  arn = var.n == null ? null : null
}
resource "aws_s3_bucket" "l07_cond_var2" {
  arn = var.u == "u" ? null : "x"
}
resource "aws_s3_bucket" "l08_known" {
  arn = "x"
}
resource "aws_s3_bucket" "l09_unknown" {
  arn = terraform_data.t.id
}
resource "aws_s3_bucket" "l10_var_known" {
  arn = var.u
}
resource "aws_s3_bucket" "l11_try" {
  arn = try(var.one.zzz, null)
}
resource "aws_s3_bucket" "l12_wrong_type" {
  arn = []
}
resource "aws_s3_bucket" "l13_sens" {
  arn = sensitive(null)
}
resource "aws_instance" "n01_literal" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  ebs_block_device {
    device_name = "a"
    volume_id   = null
  }
}
resource "aws_instance" "n02_var_null" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  ebs_block_device {
    device_name = "a"
    volume_id   = var.n
  }
}
resource "aws_instance" "n03_var_known" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  ebs_block_device {
    device_name = "a"
    volume_id   = var.u
  }
}
resource "aws_instance" "n04_known" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  ebs_block_device {
    device_name = "a"
    volume_id   = "x"
  }
}
resource "aws_instance" "n05_unknown" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  ebs_block_device {
    device_name = "a"
    volume_id   = terraform_data.t.id
  }
}
resource "aws_instance" "d01_dyn_var_unknown_in_validate" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  dynamic "ebs_block_device" {
    for_each = var.one
    content {
      device_name = "a"
      volume_id   = "x"
    }
  }
}
resource "aws_instance" "d02_dyn_var_empty" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  dynamic "ebs_block_device" {
    for_each = var.e
    content {
      device_name = "a"
      volume_id   = "x"
    }
  }
}
resource "aws_instance" "d03_dyn_known_null" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  dynamic "ebs_block_device" {
    for_each = ["a"]
    content {
      device_name = "a"
      volume_id   = var.n
    }
  }
}
resource "aws_instance" "d04_dyn_known_value" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  dynamic "ebs_block_device" {
    for_each = ["a"]
    content {
      device_name = ebs_block_device.value
      volume_id   = ebs_block_device.value
    }
  }
}
resource "aws_instance" "d05_dyn_each_unknown" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  dynamic "ebs_block_device" {
    for_each = terraform_data.t.id == "" ? ["a"] : []
    content {
      device_name = ebs_block_device.value
      volume_id   = ebs_block_device.value
    }
  }
}
data "aws_iam_policy_document" "p01_null" {
  json = null
}
data "aws_iam_policy_document" "p02_var" {
  json = var.n
}
data "aws_iam_policy_document" "p03_value" {
  json = "x"
}
module "m" {
  source = "./m"
}
resource "aws_instance" "a05_list_x" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  root_block_device {
    volume_id = "x"
  }
}
resource "aws_instance" "a12_dyn_unknown_for_each_root" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  dynamic "root_block_device" {
    for_each = toset([terraform_data.t.id])
    content {
      volume_id = "x"
    }
  }
}
resource "aws_s3_bucket" "b01_count0" {
  count = 0
  arn   = "x"
}
resource "aws_s3_bucket" "b02_each" {
  for_each = { a = null }
  arn      = each.value
}
