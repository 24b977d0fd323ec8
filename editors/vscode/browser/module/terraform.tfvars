name  = "Nørd"
zones = ["a", "b", "c"]
