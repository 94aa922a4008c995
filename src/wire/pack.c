/* pack.h */
#include "wire/pack.h"

#ifdef GPULAB_ZSTD
#include <stdlib.h>
#include <zstd.h>

#include "base/arena.h"

enum {
	LEAST = 1 << 10,  /* shorter payloads gain nothing */
	PROBE = 64 << 10, /* of a long payload this much is tried first */
	LEVEL = 1,
	GROW = 4 << 20,
	WINDOW_LOG = 24 /* at most 16 MB of memory for what is sent */
};

bool pack_possible(void) {
	return true;
}

/* At least an eighth shorter. */
static bool pays(size_t packed, size_t len) {
	return !ZSTD_isError(packed) && packed < len - len / 8;
}

static bool probe_pays(const uint8_t *data, size_t len) {
	if (len <= 2 * PROBE) return true;
	const size_t room = ZSTD_compressBound(PROBE);
	AUTO_FREE uint8_t *out = xmalloc(room);
	return pays(ZSTD_compress(out, room, data + len / 2, PROBE, LEVEL), PROBE);
}

uint8_t *pack(const void *data, size_t len, size_t *packed) {
	if (len < LEAST || !probe_pays(data, len)) return NULL;
	const size_t room = ZSTD_compressBound(len);
	uint8_t *out = xmalloc(room);
	const size_t n = ZSTD_compress(out, room, data, len, LEVEL);
	*packed = n;
	if (pays(n, len)) return out;
	free(out);
	return NULL;
}

/* Decompresses until the frame's end; true: that is where the input ends, too. */
static bool stream(ZSTD_DStream *d, ZSTD_inBuffer in, size_t most, uint8_t **out, size_t *cap, size_t *len) {
	for (;;) {
		if (*cap < *len + GROW && *cap < most) {
			*cap = *len + GROW < most ? *len + GROW : most;
			*out = xrealloc(*out, *cap);
		}
		ZSTD_outBuffer to = {*out, *cap < most ? *cap : most, *len};
		const size_t before = in.pos, left = ZSTD_decompressStream(d, &to, &in);
		const bool stuck = in.pos == before && to.pos == *len;
		*len = to.pos;
		if (ZSTD_isError(left)) return false;
		if (left == 0) return in.pos == in.size;
		if (stuck) return false; /* it is cut off, or longer than allowed */
	}
}

bool unpack(const void *packed, size_t bytes, size_t most, uint8_t **out, size_t *cap, size_t *len) {
	ZSTD_DStream *d = ZSTD_createDStream();
	*len = 0;
	bool ok = d && !ZSTD_isError(ZSTD_DCtx_setParameter(d, ZSTD_d_windowLogMax, WINDOW_LOG)) &&
			  stream(d, (ZSTD_inBuffer){packed, bytes, 0}, most, out, cap, len);
	ZSTD_freeDStream(d);
	if (!ok) *len = 0;
	return ok;
}

#else

bool pack_possible(void) {
	return false;
}

uint8_t *pack(const void *data, size_t len, size_t *packed) {
	return NULL;
}

bool unpack(const void *packed, size_t bytes, size_t most, uint8_t **out, size_t *cap, size_t *len) {
	*len = 0;
	return false;
}

#endif
