;;; gpulab.el --- gpulab in Emacs, by Eglot -*- lexical-binding: t -*-

;; Emacs 29, or older with the package eglot. In the init file:
;;
;;   (load "/path/to/contrib/editors/emacs/gpulab.el")
;;
;; A .cu or .cuh file opens in `gpulab-cuda-mode', which is C++ mode with gpulab as its server: Eglot has one server for
;; a mode, so clangd keeps C++ mode.  `gpulab-why' and `gpulab-run' act on the kernel at point.

;;; Code:

(require 'eglot)
(require 'cc-mode)

(defvar gpulab-command '("gpulab")
  "The command that starts gpulab, a list of strings; `lsp' is added.")

(define-derived-mode gpulab-cuda-mode c++-mode "CUDA"
  "C++ mode for CUDA files, with gpulab as the server of Eglot.")

(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . gpulab-cuda-mode))
(add-to-list 'eglot-server-programs
             (cons 'gpulab-cuda-mode (lambda (&rest _) (append gpulab-command '("lsp")))))
(add-hook 'gpulab-cuda-mode-hook #'eglot-ensure)

(defun gpulab--run (command)
  "Have gpulab run COMMAND for the kernel at point."
  (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                   (list :command command
                         :arguments (vector (plist-get (eglot--TextDocumentIdentifier) :uri)
                                            (1- (line-number-at-pos nil t))))))

(defun gpulab-why ()
  "Explain what limits the kernel at point."
  (interactive)
  (gpulab--run "gpulab.why"))

(defun gpulab-run ()
  "Run the step of the kernel at point; from now on a save runs it."
  (interactive)
  (gpulab--run "gpulab.run"))

(provide 'gpulab)
;;; gpulab.el ends here
