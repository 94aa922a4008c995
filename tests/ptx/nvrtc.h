/* PTX for tests, which NVRTC makes of a CUDA source when the test runs. */
#pragma once

#include <stdint.h>

/* NVRTC has two code generators, which write registers, parameters, and addresses differently: one for GPUs before
 * compute capability 10.0, one from there on. */
enum { OLDER_GENERATOR = 75, NEWER_GENERATOR = 100 };

/* For the begin of main: the program is also the worker that compiles. Where there is no NVRTC, the test is skipped. */
void nvrtc_begin(int argc, char **argv);

/* The caller frees. names are name expressions of templates, or NULL. A source that does not compile ends the test. */
char *nvrtc_ptx(const char *path, uint32_t cc, const char *const *names);
