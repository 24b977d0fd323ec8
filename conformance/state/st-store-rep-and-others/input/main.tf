resource "terraform_data" "rep_empty" {
  store {
    
  }
}
resource "terraform_data" "rep_same" {
  store {
    input = "x"
  }
}
resource "terraform_data" "rep_other" {
  store {
    input = "y"
  }
}
resource "terraform_data" "rep_null" {
  store {
    input = null
  }
}
resource "terraform_data" "rep_ver1" {
  store {
    input = "x"
    version = 1
  }
}
resource "terraform_data" "rep_ver1y" {
  store {
    input = "y"
    version = 1
  }
}
resource "terraform_data" "rep_ver2" {
  store {
    input = "x"
    version = 2
  }
}
resource "terraform_data" "rep_ver1s" {
  store {
    input = "x"
    version = "1"
  }
}
resource "terraform_data" "rep_veronly1" {
  store {
    version = 1
  }
}
resource "terraform_data" "rep_veronly2" {
  store {
    version = 2
  }
}
resource "terraform_data" "rep_sens" {
  store {
    input = "x"
    sensitive = true
  }
}
resource "terraform_data" "rep_sensy" {
  store {
    input = "y"
    sensitive = true
  }
}
resource "terraform_data" "rep_sensver1" {
  store {
    input = "x"
    version = 1
    sensitive = true
  }
}
resource "terraform_data" "rep_sensver2" {
  store {
    input = "x"
    version = 2
    sensitive = true
  }
}
resource "terraform_data" "rep_sensonly" {
  store {
    sensitive = true
  }
}
resource "terraform_data" "rep_rep" {
  store {
    input = "x"
    replace = true
  }
}
resource "terraform_data" "rep_repy" {
  store {
    input = "y"
    replace = true
  }
}
resource "terraform_data" "rep_repver1" {
  store {
    input = "y"
    version = 1
    replace = true
  }
}
resource "terraform_data" "rep_repver2" {
  store {
    input = "x"
    version = 2
    replace = true
  }
}
resource "terraform_data" "rep_repsens" {
  store {
    input = "x"
    version = 1
    replace = true
    sensitive = true
  }
}
resource "terraform_data" "rep_reponly" {
  store {
    replace = true
  }
}
resource "terraform_data" "rep_outset" {
  store {
    output = "x"
  }
}
resource "terraform_data" "rep_outset2" {
  store {
    output = "q"
    version = 1
  }
}
resource "terraform_data" "rep_unkin" {
  store {
    input = timestamp()
  }
}
resource "terraform_data" "rep_unkinver" {
  store {
    input = timestamp()
    version = 1
  }
}
resource "terraform_data" "rep_unkver" {
  store {
    input = "x"
    version = timestamp()
  }
}
resource "terraform_data" "rep_unkverrep" {
  store {
    input = "x"
    version = timestamp()
    replace = true
  }
}
resource "terraform_data" "rep_unkinrep" {
  store {
    input = timestamp()
    replace = true
  }
}
resource "terraform_data" "rep_sensin" {
  store {
    input = sensitive("x")
  }
}
resource "terraform_data" "rep_sensver" {
  store {
    input = "x"
    version = sensitive(1)
  }
}
resource "terraform_data" "rep_sensver2m" {
  store {
    input = "x"
    version = sensitive(2)
  }
}
resource "terraform_data" "rep_gone" {
}
