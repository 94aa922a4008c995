/* Compression of payloads (zstd at its fastest level), where it pays: contents of buffers, PTX and SASS over a
 * network. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this program was built with a library for it. */
bool pack_possible(void);

/* The same bytes in fewer, which the caller frees; NULL: they stay as they are, since they are few, or hardly get
 * shorter. */
uint8_t *pack(const void *data, size_t len, size_t *packed);

/* Into *out, which is enlarged. False, with *len 0: not what pack made, or longer than `most`. Memory is taken as data
 * appears, so a short payload that promises much takes little. */
bool unpack(const void *packed, size_t bytes, size_t most, uint8_t **out, size_t *cap, size_t *len);
