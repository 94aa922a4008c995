/* hash.h: BLAKE2b, unkeyed, as RFC 7693 has it. */
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

static const uint64_t iv[8] = {0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u,
							   0x510e527fade682d1u, 0x9b05688c2b3e6c1fu, 0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u};

static const uint8_t sigma[12][16] = {
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};

static uint64_t rotated(uint64_t x, int by) {
	return x >> by | x << (64 - by);
}

static void mix(uint64_t v[16], int a, int b, int c, int d, uint64_t x, uint64_t y) {
	v[a] += v[b] + x;
	v[d] = rotated(v[d] ^ v[a], 32);
	v[c] += v[d];
	v[b] = rotated(v[b] ^ v[c], 24);
	v[a] += v[b] + y;
	v[d] = rotated(v[d] ^ v[a], 16);
	v[c] += v[d];
	v[b] = rotated(v[b] ^ v[c], 63);
}

static void compress(Hash *hash, const uint8_t block[128], uint64_t last) {
	uint64_t v[16], m[16];
	memcpy(m, block, sizeof m); /* little-endian, as these machines are */
	memcpy(v, hash->h, sizeof hash->h);
	memcpy(v + 8, iv, sizeof iv);
	v[12] ^= hash->length;
	v[14] ^= last;
	for (int r = 0; r < 12; r++) {
		const uint8_t *s = sigma[r];
		mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
		mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
		mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
		mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
		mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
		mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
		mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
		mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
	}
	for (int i = 0; i < 8; i++) hash->h[i] ^= v[i] ^ v[i + 8];
}

void hash_start(Hash *hash) {
	*hash = (Hash){0};
	memcpy(hash->h, iv, sizeof iv);
	hash->h[0] ^= 0x01010000 ^ HASH_BYTES;
}

/* The last block is kept until it is known to be the last. */
void hash_add(Hash *hash, const void *data, size_t len) {
	const uint8_t *p = data;
	while (len) {
		if (hash->filled == sizeof hash->block) {
			hash->length += sizeof hash->block;
			compress(hash, hash->block, 0);
			hash->filled = 0;
		}
		const size_t room = sizeof hash->block - hash->filled, n = len < room ? len : room;
		memcpy(hash->block + hash->filled, p, n);
		hash->filled += n;
		p += n;
		len -= n;
	}
}

void hash_get(const Hash *hash, uint8_t out[HASH_BYTES]) {
	Hash end = *hash;
	memset(end.block + end.filled, 0, sizeof end.block - end.filled);
	end.length += end.filled;
	compress(&end, end.block, UINT64_MAX);
	memcpy(out, end.h, HASH_BYTES);
}

void hash_of(const void *data, size_t len, uint8_t out[HASH_BYTES]) {
	Hash hash;
	hash_start(&hash);
	hash_add(&hash, data, len);
	hash_get(&hash, out);
}

void hash_text(const Hash *hash, char out[HASH_CHARS]) {
	uint8_t bytes[HASH_BYTES];
	hash_get(hash, bytes);
	for (int i = 0; i < HASH_BYTES; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}
