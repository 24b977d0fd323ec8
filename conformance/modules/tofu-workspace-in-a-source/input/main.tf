module "m" { 
  source = "./${tofu.workspace}" 
}
