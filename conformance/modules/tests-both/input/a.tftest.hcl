bar {}
