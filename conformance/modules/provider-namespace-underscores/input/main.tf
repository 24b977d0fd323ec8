terraform {
  required_providers {
    a = { source = "a-_b/toy" }
    b = { source = "a_-_b/toy" }
    c = { source = "1_2/toy" }
    d = { source = "ex_ample.com/ab/toy" }
    e = { source = "_/toy" }
    f = { source = "a_b--c/toy" }
    g = { source = "terraform_x/toy" }
    h = { source = "a_b/terraform-provider-toy" }
    i = { source = "-a_b/toy" }
    j = { source = "a_-/toy" }
  }
}
