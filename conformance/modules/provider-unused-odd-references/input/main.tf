provider "terraform" {
  alias = "spare"
  a = foo
  b = var
  c = data.x
  d = count.x
  e = module
  f = self
  g = path.nope
  h = template.x
  i = resource.a
  j = ephemeral.x
}
resource "terraform_data" "a" {}
