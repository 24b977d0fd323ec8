variable "n" {
  type    = string
  default = null
}
variable "u" {
  type    = string
  default = "u"
}
variable "one" {
  default = { a = 1 }
}
locals {
  cfg = null
}
resource "terraform_data" "t" {}
resource "aws_instance" "a01_list_null" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  root_block_device {
    volume_id = null
  }
}
resource "aws_instance" "a02_list_var_null" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  root_block_device {
    volume_id = var.n
  }
}
resource "aws_instance" "a03_list_var_u" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  root_block_device {
    volume_id = var.u
  }
}
resource "aws_instance" "a04_list_t" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  root_block_device {
    volume_id = terraform_data.t.id
  }
}
resource "aws_instance" "a06_set_t" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  ebs_block_device {
    device_name = "a"
    volume_id   = terraform_data.t.id
  }
}
resource "aws_instance" "a07_set_u" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  ebs_block_device {
    device_name = "a"
    volume_id   = var.u
  }
}
resource "aws_instance" "a08_set_n" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  ebs_block_device {
    device_name = "a"
    volume_id   = var.n
  }
}
resource "aws_instance" "a09_set_mixed" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  ebs_block_device {
    device_name = terraform_data.t.id
    volume_id   = "x"
  }
}
resource "aws_instance" "a10_dyn_var" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  dynamic "ebs_block_device" {
    for_each = var.one
    content {
      device_name = "a"
      volume_id   = "x"
    }
  }
}
resource "aws_instance" "a11_dyn_elem" {
  instance_type = "t3.micro"
  ami           = "ami-1"
  dynamic "root_block_device" {
    for_each = [{ v = null }]
    content {
      volume_id = root_block_device.value.v
    }
  }
}
resource "aws_s3_bucket" "b03_lookup" {
  arn = lookup({}, "a", null)
}
