import {
  to = terraform_data.nowhere
  id = local.none
}
