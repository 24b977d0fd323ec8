removed {
  from = module.a[0].terraform_data.x
  lifecycle { destroy = false }
}
