v = "b"
