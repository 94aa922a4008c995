/* The kernels of a source as the compiler has them: what its PTX holds is there, and nothing else but templates without
 * an instance. Lines are the PTX's; parameters are the text's, where it has them in that line. */
#pragma once

#include "compile/compile.h"
#include "compile/source/device_code.h"

/* Fills compiled->kernels; compiled->module is there. files[0] is the source, the others its own headers; none for PTX.
 * options: NVRTC's. */
void kernel_list(Compiled *compiled, const UnitFile *files, size_t nfiles, const char *const *options);
