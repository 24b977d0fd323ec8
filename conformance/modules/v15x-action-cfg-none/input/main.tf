action "acme_notify" "n" {
}
