environment = "production"
budget      = 4096
owners      = ["Noël", "ada", "Łucja"]

services = {
  web = {
    port     = 8080
    replicas = 3
    public   = true
    needs    = ["api", "cache"]
  }
  api = {
    port   = 9000
    memory = 1024
    public = true
    needs  = ["cache", "store"]
    settings = {
      LOG_LEVEL = "info"
      TIMEOUT   = "2.5"
    }
  }
  cache = { port = 6379, memory = "768" }
  store = { port = 5432, replicas = 1, memory = 2048 }
}
