run "a" {
  module {
    source = "./m"
  }
}
run "b" {
  module {
    source = "./m"
    version = "1.0"
  }
}
run "c" {
  module {
  }
}
run "d" {
  module {
    source = var.x
    foo = 1
  }
  module {
    source = "./m"
  }
}
