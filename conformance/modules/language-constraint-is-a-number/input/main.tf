language {
  compatible_with {
    opentofu = 1
  }
}
