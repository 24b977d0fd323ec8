terraform {
  encryption {
    state {
    }
  }
}
