variables "x" {
}
