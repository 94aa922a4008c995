/* machine.h: contents saved, and restored after a run that must leave no trace. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/vec.h"
#include "emu/machine/internal.h"

typedef struct {
	Allocation *allocation; /* NULL: a texture's texels */
	uint8_t *live, *copy;
	size_t bytes;
	uint8_t *written; /* the allocation's bits; NULL: it kept none */
} Piece;

struct Snapshot {
	Machine *machine;
	VEC(Piece) pieces;
	Arena *arena;
	HeapImage *heap; /* of the device's malloc; NULL: it stays as it will be */
};

Snapshot *snapshot_new(Machine *machine, bool heap) {
	Snapshot *s = xcalloc(1, sizeof *s);
	s->machine = machine;
	s->arena = arena_new();
	if (heap) s->heap = memory_heap_save(machine_memory(machine), s->arena);
	return s;
}

static bool find(const Machine *machine, uint64_t at, Piece *piece) {
	Allocation *a = memory_find(machine_memory(machine), at);
	*piece = (Piece){0};
	if (a && !a->freed) {
		*piece = (Piece){.allocation = a, .live = a->host, .bytes = a->bytes};
	} else {
		const Texture *t = texture_of(machine_textures(machine), at);
		if (t) *piece = (Piece){.live = t->host, .bytes = t->bytes};
	}
	return piece->live != NULL;
}

/* Large pages for large copies: first-touch page faults would take longer than the copy. */
static uint8_t *room_for(size_t bytes) {
	enum { HUGE = 2 << 20 };
	if (bytes < HUGE) return malloc(bytes ? bytes : 1);
	const size_t room = (bytes + HUGE - 1) / HUGE * HUGE;
	uint8_t *at = aligned_alloc(HUGE, room);
#ifdef MADV_HUGEPAGE
	if (at) madvise(at, room, MADV_HUGEPAGE);
#endif
	return at;
}

/* One host thread copies about 8 GB/s, and as much again where pages of the copy are touched for the first time.
 * Threads share it: a count of a sample of the blocks would else take less time than its two copies. */
enum { SHARE = 4 << 20 };

typedef struct {
	uint8_t *to;
	const uint8_t *from;
	size_t bytes;
	pthread_t thread;
} Share;

static void *copy_share(void *arg) {
	const Share *share = arg;
	memcpy(share->to, share->from, share->bytes);
	return NULL;
}

static void copy(const Snapshot *s, uint8_t *to, const uint8_t *from, size_t bytes) {
	Share shares[MOST_HOST_THREADS];
	size_t n = bytes / SHARE < s->machine->threads ? bytes / SHARE : s->machine->threads, started = 0;
	if (!n) n = 1;
	const size_t each = (bytes / n + 4095) / 4096 * 4096;
	for (; started + 1 < n; started++, to += each, from += each, bytes -= each) {
		shares[started] = (Share){.to = to, .from = from, .bytes = each};
		if (pthread_create(&shares[started].thread, NULL, copy_share, &shares[started])) break;
	}
	memcpy(to, from, bytes);
	for (size_t i = 0; i < started; i++) pthread_join(shares[i].thread, NULL);
}

bool snapshot_add(Snapshot *s, uint64_t at, Err *err) {
	Piece piece;
	if (!find(s->machine, at, &piece))
		return err_set(err, ERR_USAGE, "0x%llx is neither in an allocation nor a texture", (unsigned long long)at);
	for (size_t i = 0; i < s->pieces.len; i++)
		if (s->pieces.data[i].live == piece.live) return true;
	const Allocation *a = piece.allocation;
	const size_t bits = piece.bytes / 8 + 1;
	piece.copy = room_for(piece.bytes);
	if (!piece.copy) {
		err_set(err, ERR_SETUP, "no memory for a copy of %zu bytes", piece.bytes);
		return err_hint(err, "free buffers or use a smaller problem size");
	}
	copy(s, piece.copy, piece.live, piece.bytes);
	if (a && a->written) piece.written = memcpy(xmalloc(bits), a->written, bits);
	vec_push(&s->pieces, piece);
	return true;
}

static void digest_word(uint64_t digest[2], uint64_t word) {
	digest[0] = (digest[0] ^ word) * 0x9e3779b97f4a7c15;
	digest[0] ^= digest[0] >> 32;
	digest[1] = (digest[1] + word) * 0xd6e8feb86659fd93;
	digest[1] ^= digest[1] >> 32;
}

void snapshot_digest(const Snapshot *s, uint64_t digest[2]) {
	digest[0] = digest[1] = s->pieces.len;
	for (size_t i = 0; i < s->pieces.len; i++) {
		const Piece *p = &s->pieces.data[i];
		uint64_t word = 0;
		for (size_t at = 0; at + sizeof word <= p->bytes; at += sizeof word) {
			memcpy(&word, p->live + at, sizeof word);
			digest_word(digest, word);
		}
		const size_t rest = p->bytes % sizeof word;
		word = 0;
		memcpy(&word, p->live + p->bytes - rest, rest);
		digest_word(digest, word);
	}
}

void snapshot_put_back(Snapshot *s) {
	if (s->heap) memory_heap_put_back(machine_memory(s->machine), s->heap);
	for (size_t i = 0; i < s->pieces.len; i++) {
		const Piece *p = &s->pieces.data[i];
		copy(s, p->live, p->copy, p->bytes);
		free(p->copy);
		if (!p->allocation) continue;
		free(p->allocation->written);
		p->allocation->written = p->written;
	}
	vec_free(&s->pieces);
	arena_free(s->arena);
	free(s);
}
