mock_provider "x" {
  mock_resource "a" {
    defaults = {
      a = 1
    }
  }
  mock_data "b" {
    defaults = {}
  }
}
mock_provider "x" {
}
mock_provider "y" {
  foo = 1
  bar {}
  mock_resource {
  }
  mock_resource "q" {
    foo = 1
  }
  mock_resource "q" {
    defaults = 1
  }
  override_resource {
  }
}
