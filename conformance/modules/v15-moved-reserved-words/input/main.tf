moved {
  from = arg.x
  to = terraform_data.yarg
}
moved {
  from = count.x
  to = terraform_data.ycount
}
moved {
  from = each.x
  to = terraform_data.yeach
}
moved {
  from = ephemeral.x
  to = terraform_data.yephemeral
}
moved {
  from = lazy.x
  to = terraform_data.ylazy
}
moved {
  from = local.x
  to = terraform_data.ylocal
}
moved {
  from = path.x
  to = terraform_data.ypath
}
moved {
  from = template.x
  to = terraform_data.ytemplate
}
moved {
  from = terraform.x
  to = terraform_data.yterraform
}
moved {
  from = var.x
  to = terraform_data.yvar
}
moved {
  from = resource.x
  to = terraform_data.yresource
}
moved {
  from = self.x
  to = terraform_data.yself
}
moved {
  from = output.x
  to = terraform_data.youtput
}
moved {
  from = provider.x
  to = terraform_data.yprovider
}
moved {
  from = action.x
  to = terraform_data.yaction
}
moved {
  from = list.x
  to = terraform_data.ylist
}
moved {
  from = check.x
  to = terraform_data.ycheck
}
moved {
  from = variable.x
  to = terraform_data.yvariable
}
moved {
  from = locals.x
  to = terraform_data.ylocals
}
moved {
  from = tofu.x
  to = terraform_data.ytofu
}
