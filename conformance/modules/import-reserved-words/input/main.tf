import {
  to = arg.x
  id = "x"
}
import {
  to = count.x
  id = "x"
}
import {
  to = each.x
  id = "x"
}
import {
  to = ephemeral.x
  id = "x"
}
import {
  to = lazy.x
  id = "x"
}
import {
  to = local.x
  id = "x"
}
import {
  to = path.x
  id = "x"
}
import {
  to = template.x
  id = "x"
}
import {
  to = terraform.x
  id = "x"
}
import {
  to = var.x
  id = "x"
}
import {
  to = resource.x
  id = "x"
}
import {
  to = self.x
  id = "x"
}
import {
  to = output.x
  id = "x"
}
import {
  to = provider.x
  id = "x"
}
import {
  to = action.x
  id = "x"
}
import {
  to = list.x
  id = "x"
}
import {
  to = check.x
  id = "x"
}
import {
  to = variable.x
  id = "x"
}
import {
  to = locals.x
  id = "x"
}
import {
  to = tofu.x
  id = "x"
}
