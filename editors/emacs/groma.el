;;; groma.el --- Groma's language server with Eglot -*- lexical-binding: t -*-

;; For Emacs 29 and later with `terraform-mode' (or `hcl-mode'): load this file, or copy it into the init file.

;;; Code:

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((terraform-mode hcl-mode) . ("groma" "lsp"))))

(add-hook 'terraform-mode-hook #'eglot-ensure)

;; Settings go into `.dir-locals.el':
;; ((nil . ((eglot-workspace-configuration . (:groma (:varFiles ["production.tfvars"]))))))

(provide 'groma)
;;; groma.el ends here
