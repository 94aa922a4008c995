/* Files that are PTX already, as nvcc -ptx makes them: nothing compiles them. */
#pragma once

#include "compile/compile.h"

bool is_ptx_file(const char *path);
/* NULL with err: it is no PTX, or a kernel asked for is not in it. */
Compiled *compiled_from_ptx(const CompileJob *job, Err *err);
