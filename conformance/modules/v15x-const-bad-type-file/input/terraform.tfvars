k = "x"
