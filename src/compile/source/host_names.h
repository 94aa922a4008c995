/* Names that nvcc declares for every source, or that host headers give it and device code may use, and which NVRTC
 * lacks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* A line that declares the name ("typedef unsigned int uint;"); NULL: it is none of these. */
const char *host_name(const char *name, size_t len);

/* The same of a name that a header of the toolkit declares, which host headers include ("__nv_bfloat16"). */
const char *host_toolkit_name(const char *name, size_t len);

/* The same of a type of a library for the host (cuBLAS, cuFFT, ...), whose headers NVRTC does not compile: numbers as
 * they are, handles as pointers that nothing is known of. NULL: it is none of these. */
const char *host_library_type(const char *name, size_t len, Str *room);

/* A name of such a library. */
bool host_library_name(const char *name, size_t len);

/* Declares std::name by what device code has without a header ("std::sqrt"); NULL: it is none of these. */
const char *host_std_name(const char *name, size_t len, Str *room);

/* The header of CUDA's standard library with std::name for device code ("cuda/std/limits"); NULL: it is not known. */
const char *host_std_header(const char *name, size_t len);

/* A header of the host, of C++'s, C's or POSIX's: device code has no use for what is in it, or gets it without. */
bool host_header(const char *name);

/* A header of the toolkit that holds host code alone. */
bool host_toolkit_header(const char *name);

/* The header of cub with the class of that name ("BlockScan"); NULL: there is none. NVRTC cannot read <cub/cub.cuh>. */
const char *host_cub_header(const char *name, size_t len);

/* A header of Thrust that NVRTC does not compile; and its complex numbers, in words of <cuda/std/complex>. */
bool host_thrust_header(const char *name);
const char *host_thrust_complex(void);
