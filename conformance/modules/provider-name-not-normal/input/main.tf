provider "Foo_Bar" { }
