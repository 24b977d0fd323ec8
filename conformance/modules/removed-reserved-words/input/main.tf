removed {
  from = arg.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = count.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = each.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = ephemeral.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = lazy.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = local.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = path.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = template.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = terraform.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = var.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = resource.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = self.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = output.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = provider.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = action.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = list.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = check.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = variable.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = locals.x
  lifecycle {
    destroy = false
  }
}
removed {
  from = tofu.x
  lifecycle {
    destroy = false
  }
}
