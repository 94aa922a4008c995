/* runtime.h: the LZ4 block format (the format's own description, lz4_Block_format.md): sequences of literals and matches. */
#include <string.h>

#include "exec/runtime/runtime.h"

typedef struct {
	const uint8_t *at, *end;
} Input;

/* A length of 15 continues in further bytes, up to one that is not 255. */
static bool length_of(Input *in, size_t first, size_t *out) {
	uint8_t byte = 255;
	*out = first;
	while (first == 15 && byte == 255) {
		if (in->at == in->end) return false;
		byte = *in->at++;
		*out += byte;
	}
	return true;
}

bool lz4_block(const uint8_t *in_bytes, size_t in_len, uint8_t *out, size_t out_len) {
	Input in = {in_bytes, in_bytes + in_len};
	size_t done = 0, n;
	while (in.at < in.end) {
		const uint8_t token = *in.at++;
		if (!length_of(&in, token >> 4, &n) || n > (size_t)(in.end - in.at) || n > out_len - done) return false;
		memcpy(out + done, in.at, n);
		done += n;
		in.at += n;
		if (in.at == in.end) break; /* the last sequence has no match */
		if (in.end - in.at < 2) return false;
		const size_t back = in.at[0] | (size_t)in.at[1] << 8;
		in.at += 2;
		if (!back || back > done || !length_of(&in, token & 15, &n) || n + 4 > out_len - done) return false;
		for (n += 4; n > 0; n--, done++) out[done] = out[done - back]; /* they may overlap */
	}
	return done == out_len;
}
