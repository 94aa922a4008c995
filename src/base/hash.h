/* BLAKE2b (RFC 7693) with 128 bits: a cryptographic hash, so that no two texts with equal hashes can be made. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { HASH_BYTES = 16, HASH_CHARS = 2 * HASH_BYTES + 1 };

typedef struct {
	uint64_t h[8], length;
	uint8_t block[128];
	size_t filled;
} Hash;

void hash_start(Hash *hash);
void hash_add(Hash *hash, const void *data, size_t len);
/* Of all that was added; more may be added afterwards. */
void hash_get(const Hash *hash, uint8_t out[HASH_BYTES]);
void hash_of(const void *data, size_t len, uint8_t out[HASH_BYTES]);
void hash_text(const Hash *hash, char out[HASH_CHARS]); /* what hash_get gives, in hexadecimal digits */
