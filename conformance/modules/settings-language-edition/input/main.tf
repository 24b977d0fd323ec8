terraform {
  language = TF2099
}
