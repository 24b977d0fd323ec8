# Nothing is declared any more.
