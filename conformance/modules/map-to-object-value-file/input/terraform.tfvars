a = { name = "a" }
