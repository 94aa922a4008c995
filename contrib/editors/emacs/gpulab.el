;;; gpulab.el --- gpulab in Emacs, by Eglot -*- lexical-binding: t -*-

;; Emacs 29, or older with the package eglot. In the init file:
;;
;;   (load "/path/to/contrib/editors/emacs/gpulab.el")
;;
;; A .cu or .cuh file opens in `gpulab-cuda-mode', which is C++ mode with gpulab as its server: Eglot has one server for
;; a mode, so clangd keeps C++ mode.  `gpulab-why' and `gpulab-run' act on the lenses of the buffer.

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

(defun gpulab--run-lens (command)
  "Ask gpulab for the lens with COMMAND that is nearest before point, and run it."
  (let* ((server (eglot-current-server))
         (here (1- (line-number-at-pos)))
         (lenses (append (jsonrpc-request server :textDocument/codeLens
                                          (list :textDocument (eglot--TextDocumentIdentifier)))
                         nil))
         (fitting (seq-filter (lambda (lens)
                                (equal (plist-get (plist-get lens :command) :command) command))
                              lenses))
         (line (lambda (lens) (plist-get (plist-get (plist-get lens :range) :start) :line)))
         (before (seq-filter (lambda (lens) (<= (funcall line lens) here)) fitting))
         (lens (or (car (last before)) (car fitting))))
    (unless lens (user-error "gpulab has no such lens in this buffer"))
    (jsonrpc-request server :workspace/executeCommand
                     (list :command command
                           :arguments (plist-get (plist-get lens :command) :arguments)))))

(defun gpulab-why ()
  "Explain what limits the kernel at point."
  (interactive)
  (gpulab--run-lens "gpulab.why"))

(defun gpulab-run ()
  "Run the step of the kernel at point; from now on a save runs it."
  (interactive)
  (gpulab--run-lens "gpulab.run"))

(provide 'gpulab)
;;; gpulab.el ends here
