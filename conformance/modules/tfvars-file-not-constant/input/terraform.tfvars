l = [1, 2, local.a]
s = foo
