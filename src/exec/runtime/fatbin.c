/* runtime.h: a fat binary is a header and entries one after the other, each of one architecture: PTX or SASS, plain or
 * compressed. The layout is not documented by NVIDIA; it is what nvcc 11 to 13 write and what cuobjdump lists. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "exec/runtime/runtime.h"
#ifdef GPULAB_LZ4
#include <lz4.h>
#endif
#ifdef GPULAB_ZSTD
#include <zstd.h>
#endif

enum {
	FATBIN_MAGIC = 0xba55ed50,
	ENTRY_PTX = 1,
	ENTRY_ELF = 2,
	FLAG_LZ4 = 0x2000,
	FLAG_ZSTD = 0x8000,
	MOST_BYTES = 256 << 20
};

typedef struct {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes; /* of the entries */
} FatbinHeader;

typedef struct {
	uint16_t kind, version;
	uint32_t header_bytes;
	uint64_t bytes; /* of what follows the header, padded */
	uint32_t compressed_bytes, options_at;
	uint16_t minor, major;
	uint32_t cc; /* 75 */
	uint32_t name_at, name_bytes;
	uint64_t flags, reserved;
	uint64_t plain_bytes; /* of what was compressed */
} FatbinEntry;

/* The entry that serves the device best so far. SASS has to be for the device itself. */
static const FatbinEntry *better(const FatbinEntry *best, const FatbinEntry *e, uint16_t kind, uint32_t cc) {
	if (e->kind != kind || (kind == ENTRY_ELF && e->cc != cc)) return best;
	if (!best) return e;
	const bool fits = e->cc <= cc, best_fits = best->cc <= cc;
	if (fits != best_fits) return fits ? e : best;
	return (fits ? e->cc > best->cc : e->cc < best->cc) ? e : best;
}

static const FatbinEntry *choose(const FatbinHeader *header, uint16_t kind, uint32_t cc) {
	const uint8_t *at = (const uint8_t *)header + header->header_bytes, *end = at + header->bytes;
	const FatbinEntry *best = NULL;
	while (at + sizeof(FatbinEntry) <= end) {
		const FatbinEntry *e = (const FatbinEntry *)at;
		const uint64_t left = (uint64_t)(end - at);
		if (e->header_bytes < 56 || e->header_bytes > left || e->bytes > left - e->header_bytes) break;
		best = better(best, e, kind, cc);
		at += e->header_bytes + e->bytes;
	}
	return best;
}

/* False where the data is damaged, or this was built without the library that reads it. */
static bool decompress(uint64_t flags, const uint8_t *in, size_t in_bytes, char *out, size_t out_bytes) {
#ifdef GPULAB_LZ4
	if (flags & FLAG_LZ4)
		return LZ4_decompress_safe((const char *)in, out, (int)in_bytes, (int)out_bytes) == (int)out_bytes;
#endif
#ifdef GPULAB_ZSTD
	if (flags & FLAG_ZSTD) {
		const size_t frame = ZSTD_findFrameCompressedSize(in, in_bytes); /* the entry is padded */
		return !ZSTD_isError(frame) && ZSTD_decompress(out, out_bytes, in, frame) == out_bytes;
	}
#endif
	return false;
}

static char *unpack(const FatbinEntry *e, size_t *size, const char **why) {
	const uint8_t *data = (const uint8_t *)e + e->header_bytes;
	const bool packed = e->flags & (FLAG_LZ4 | FLAG_ZSTD);
	const uint64_t bytes = packed ? e->plain_bytes : e->bytes;
	const uint64_t stored = e->compressed_bytes ? e->compressed_bytes : e->bytes;
	if (bytes > MOST_BYTES || (packed && stored > e->bytes)) {
		*why = "the device code has a size that cannot be";
		return NULL;
	}
	char *text = xcalloc(1, bytes + 1);
	*size = bytes;
	bool ok = true;
	if (!packed)
		memcpy(text, data, bytes);
	else
		ok = stored <= MOST_BYTES && decompress(e->flags, data, stored, text, bytes);
	if (ok) return text;
	free(text);
	*why = "the device code is compressed in a way that cannot be read here; compile with -Xfatbin -no-compress";
	return NULL;
}

bool fatbin_is(const void *code) {
	const FatbinHeader *header = code;
	return strncmp(code, (const char *)&(int){(int)FATBIN_MAGIC}, sizeof(int)) == 0 && /* code may be a short text */
		   header->header_bytes >= sizeof *header;
}

char *fatbin_cubin(const void *fatbin, uint32_t cc, size_t *bytes) {
	const FatbinEntry *e = fatbin_is(fatbin) ? choose(fatbin, ENTRY_ELF, cc) : NULL;
	const char *why;
	return e ? unpack(e, bytes, &why) : NULL;
}

char *fatbin_ptx(const void *fatbin, uint32_t cc, const char **why) {
	if (!fatbin_is(fatbin)) {
		*why = "the device code has a format that is not known";
		return NULL;
	}
	const FatbinEntry *e = choose(fatbin, ENTRY_PTX, cc);
	size_t bytes;
	if (e) return unpack(e, &bytes, why);
	*why = "the program has no PTX, only SASS, which the emulator cannot run; compile with -arch=sm_80, or add "
		   "-gencode arch=compute_80,code=compute_80";
	return NULL;
}
