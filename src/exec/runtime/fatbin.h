/* Device code out of fat binaries. Nothing is read outside of the bytes that are given; they may be damaged. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool fatbin_is(const void *code, size_t bytes);
/* PTX for the device: of the newest architecture that is no newer than cc, terminated; the caller frees. NULL: there is
 * none, and *why says so. */
char *fatbin_ptx(const void *fatbin, size_t bytes, uint32_t cc, const char **why);
/* SASS for just this cc, or NULL; the caller frees. */
char *fatbin_cubin(const void *fatbin, size_t bytes, uint32_t cc, size_t *size);
