variable "v" {
}
