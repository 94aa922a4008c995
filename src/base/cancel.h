/* Ctrl-C for what takes long in this process: a flag that it looks at, and ends early. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"

extern atomic_bool cancel_flag;

bool not_cancelled(Err *err); /* false with err (ERR_INTERRUPTED): the flag is set */
