mock_provider "x" {
  alias = "y"
  source = "./mocks"
}
mock_provider "z" {
  override_during = plan
}
mock_provider "w" {
  override_during = foo
}
