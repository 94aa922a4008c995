/* Ctrl-C for what takes long in this process: a flag that it looks at, and ends early. */
#ifndef GPULAB_BASE_CANCEL_H
#define GPULAB_BASE_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"

extern atomic_bool cancel_flag;

bool not_cancelled(Err *err); /* false with err (ERR_INTERRUPTED): the flag is set */

#endif
