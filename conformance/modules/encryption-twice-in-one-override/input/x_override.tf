terraform {
  encryption {
    method "unencrypted" "m" {}
    state { method = method.unencrypted.m }
  }
}
terraform {
  encryption {
    method "unencrypted" "n" {}
    state { method = method.unencrypted.n }
  }
}
