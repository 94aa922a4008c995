/* fatbin.h: a fat binary is a header and entries one after the other, each of one architecture: PTX or SASS, plain or
 * compressed. The layout is not documented by NVIDIA; it is what nvcc 11 to 13 write and what cuobjdump lists. Headers
 * are copied before they are read, since a damaged one can be at any address. */
#include "exec/runtime/fatbin.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
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
	ENTRY_LEAST = 56, /* bytes of its header in the oldest version */
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

/* An entry's header, and what follows it. */
typedef struct {
	FatbinEntry head;
	const uint8_t *data; /* [head.bytes]; NULL: no entry */
} Part;

/* The entry that serves the device best so far. SASS has to be for the device itself. */
static Part better(Part best, Part p, uint16_t kind, uint32_t cc) {
	if (p.head.kind != kind || (kind == ENTRY_ELF && p.head.cc != cc)) return best;
	if (!best.data) return p;
	const bool fits = p.head.cc <= cc, best_fits = best.head.cc <= cc;
	if (fits != best_fits) return fits ? p : best;
	return (fits ? p.head.cc > best.head.cc : p.head.cc < best.head.cc) ? p : best;
}

static bool header_of(const void *code, size_t bytes, FatbinHeader *out) {
	if (bytes < sizeof *out) return false;
	memcpy(out, code, sizeof *out);
	return out->magic == FATBIN_MAGIC && out->header_bytes >= sizeof *out && out->header_bytes <= bytes;
}

/* False: there is no further entry. */
static bool next(const uint8_t *at, size_t left, Part *out) {
	if (left < sizeof out->head) return false;
	memcpy(&out->head, at, sizeof out->head);
	const size_t header = out->head.header_bytes;
	out->data = at + header;
	return header >= ENTRY_LEAST && header <= left && out->head.bytes <= left - header;
}

static Part choose(const void *fatbin, size_t bytes, uint16_t kind, uint32_t cc) {
	FatbinHeader header;
	Part best = {0}, p;
	if (!header_of(fatbin, bytes, &header)) return best;
	const uint8_t *at = (const uint8_t *)fatbin + header.header_bytes;
	size_t left = bytes - header.header_bytes;
	if (header.bytes < left) left = header.bytes;
	for (; next(at, left, &p); at = p.data + p.head.bytes, left -= p.head.header_bytes + p.head.bytes)
		best = better(best, p, kind, cc);
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

static char *unpack(Part p, size_t *size, const char **why) {
	const FatbinEntry *e = &p.head;
	const bool packed = e->flags & (FLAG_LZ4 | FLAG_ZSTD);
	const uint64_t bytes = packed ? e->plain_bytes : e->bytes;
	const uint64_t stored = e->compressed_bytes ? e->compressed_bytes : e->bytes;
	if (bytes > MOST_BYTES || (packed && (stored > e->bytes || stored > MOST_BYTES))) {
		*why = "the device code has a size that cannot be";
		return NULL;
	}
	char *text = xcalloc(1, bytes + 1);
	*size = bytes;
	if (!packed && bytes) memcpy(text, p.data, bytes);
	if (!packed || decompress(e->flags, p.data, stored, text, bytes)) return text;
	free(text);
	*why = "the device code is compressed in a way that cannot be read here; compile with -Xfatbin -no-compress";
	return NULL;
}

bool fatbin_is(const void *code, size_t bytes) {
	FatbinHeader header;
	return header_of(code, bytes, &header);
}

char *fatbin_cubin(const void *fatbin, size_t bytes, uint32_t cc, size_t *size) {
	const Part p = choose(fatbin, bytes, ENTRY_ELF, cc);
	const char *why;
	return p.data ? unpack(p, size, &why) : NULL;
}

char *fatbin_ptx(const void *fatbin, size_t bytes, uint32_t cc, const char **why) {
	const Part p = choose(fatbin, bytes, ENTRY_PTX, cc);
	size_t size;
	if (p.data) return unpack(p, &size, why);
	*why = fatbin_is(fatbin, bytes)
			   ? "the program has no PTX, only SASS, which the emulator cannot run; compile with -arch=sm_80, or add "
				 "-gencode arch=compute_80,code=compute_80"
			   : "the device code has a format that is not known";
	return NULL;
}
