/* Completion scripts for shells, made from the table of options, so that they cannot lag behind it. */
#ifndef GPULAB_COMPLETION_H
#define GPULAB_COMPLETION_H

#include <stdio.h>

#include "base/err.h"

/* shell: "bash", "zsh" or "fish"; false with err (ERR_USAGE) for another. */
bool completion_write(FILE *out, const char *shell, Err *err);

#endif
