resource "terraform_data" "a" {
  store {
    input = "y"
    version = 2
  }
  lifecycle {
    ignore_changes = [store]
  }
}
resource "terraform_data" "b" {
  store {
    input = "y"
    version = 2
  }
  lifecycle {
    ignore_changes = [store.version]
  }
}
resource "terraform_data" "c" {
  store {
    input = "y"
  }
  lifecycle {
    ignore_changes = [store.input]
  }
}
resource "terraform_data" "d" {
  store {
    input = "y"
    version = 2
  }
  lifecycle {
    ignore_changes = all
  }
}
resource "terraform_data" "e" {
  lifecycle {
    ignore_changes = [store]
  }
}
resource "terraform_data" "f" {
  store {
    input = "y"
    version = 2
  }
  lifecycle {
    ignore_changes = [store]
  }
}
resource "terraform_data" "g" {
  store {
    input = "y"
    version = 2
  }
  lifecycle {
    ignore_changes = [store.sensitive, store.output]
  }
}
resource "terraform_data" "h" {
  store {
    input = "x"
  }
  lifecycle {
    ignore_changes = [store]
  }
}
