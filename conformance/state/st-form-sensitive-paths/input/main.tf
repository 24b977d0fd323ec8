# The state hides an element of a set by itself. The other paths have a step of the wrong kind, and lead nowhere.
resource "terraform_data" "set" { input = toset(["a", "b"]) }
resource "terraform_data" "map" { input = tomap({ k = "v" }) }
resource "terraform_data" "object" { input = { k = "v" } }
resource "terraform_data" "list" { input = tolist(["x"]) }
