run {}
