a = b()
