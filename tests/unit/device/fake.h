/* A GPU that is none, for the tests of everything around one: its memory is the worker's own, its kernels are C functions with the
 * names and the behaviour of those in kernels.cu. Like a GPU it does not notice writes near a buffer, a fault ends it for good,
 * and a kernel that loops can only be killed with its process. */
#ifndef TESTS_UNIT_DEVICE_FAKE_H
#define TESTS_UNIT_DEVICE_FAKE_H

#include "device/backend.h"

/* "fake"; "fake:bare" has no cuBLAS; "fake:no" cannot be opened; "fake:mad" answers with nonsense. */
Backend *fake_backend(const char *name);

#endif
