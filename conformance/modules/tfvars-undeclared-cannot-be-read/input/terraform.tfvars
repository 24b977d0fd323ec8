b = { 1 = zz }
