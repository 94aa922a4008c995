/* heap.h. Two bits a granule: whether it is part of an object, and whether one begins there. */
#include "emu/memory/heap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/vec.h"

enum {
	DEFAULT_LIMIT = 8 << 20, /* CUDA C++ Programming Guide, "Dynamic Global Memory Allocation and Operations" */
	GRANULE = 16,
	SLOT = 1024,       /* of device addresses, for each granule */
	WORD = 64,         /* bits */
	RECORD = 64,       /* bytes of the limit for an object's record */
	RESTING = 1 << 14, /* freed objects that are known as such */
};
#define MOST_BYTES ((size_t)64 << 30)
#define NOWHERE SIZE_MAX

typedef uint64_t Bits;

struct Heap {
	size_t limit, used; /* used: with a record for each object that is not freed */
	size_t granules;
	uint8_t *host;
	Bits *taken, *begins; /* [granules] */
	Allocation **of;      /* [granules]: the record of the object that begins there */
	size_t at;            /* where the search goes on */
	size_t end;           /* no object ever ended behind it */
	VEC(Allocation *) pool, made;
	VEC(size_t) resting; /* granules where freed objects begin, oldest first from `oldest` on */
	size_t oldest;
	size_t objects;
};

/* --- room --------------------------------------------------------------------------------------------------------- */

static size_t bit_words(size_t granules) {
	return granules / WORD + 2;
}

static void *map_pages(size_t bytes) {
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at == MAP_FAILED ? NULL : at;
}

typedef struct {
	void *at;
	size_t bytes;
} Part;

enum { PARTS = 4 };

static void parts_of(const Heap *h, Part out[PARTS]) {
	const size_t n = h->granules;
	const Part parts[PARTS] = {{h->host, n * GRANULE},
							   {h->taken, bit_words(n) * sizeof(Bits)},
							   {h->begins, bit_words(n) * sizeof(Bits)},
							   {h->of, n * sizeof *h->of}};
	memcpy(out, parts, sizeof parts);
}

static void unmap(const Heap *h) {
	Part parts[PARTS];
	parts_of(h, parts);
	for (unsigned i = 0; i < PARTS; i++)
		if (parts[i].at) munmap(parts[i].at, parts[i].bytes);
}

/* All or nothing; pages are there when they are touched. */
static bool map_all(Heap *h, size_t granules) {
	Heap fresh = {.granules = granules};
	Part parts[PARTS];
	parts_of(&fresh, parts);
	for (unsigned i = 0; i < PARTS; i++)
		if (!(parts[i].at = map_pages(parts[i].bytes))) {
			while (i--) munmap(parts[i].at, parts[i].bytes);
			return false;
		}
	h->granules = granules;
	h->host = parts[0].at;
	h->taken = parts[1].at;
	h->begins = parts[2].at;
	h->of = parts[3].at;
	return true;
}

Heap *heap_new(void) {
	Heap *h = xcalloc(1, sizeof *h);
	h->limit = DEFAULT_LIMIT;
	return h;
}

void heap_free(Heap *h) {
	unmap(h);
	for (size_t i = 0; i < h->made.len; i++) free(h->made.data[i]);
	vec_free(&h->made);
	vec_free(&h->pool);
	vec_free(&h->resting);
	free(h);
}

/* Live objects are moved; no kernel runs at this time. */
static bool grow(Heap *h, size_t bytes) {
	const Heap old = *h;
	Part from[PARTS], to[PARTS];
	assert(bytes % GRANULE == 0 && bytes / GRANULE >= h->granules);
	if (!map_all(h, bytes / GRANULE)) return false;
	parts_of(&old, from);
	parts_of(h, to);
	for (unsigned i = 0; i < PARTS; i++) memcpy(to[i].at, from[i].at, from[i].bytes);
	for (size_t i = 0; i < h->granules; i++)
		if (h->of[i]) h->of[i]->host = h->host + i * GRANULE;
	unmap(&old);
	return true;
}

bool heap_limit(Heap *h, size_t bytes) {
	bytes = bytes / GRANULE * GRANULE;
	if (bytes == h->limit) return true;
	if (bytes > MOST_BYTES) return false;
	if (!h->objects) {
		heap_sweep(h);
		unmap(h);
		h->host = NULL;
		h->taken = h->begins = NULL;
		h->of = NULL;
		h->granules = h->at = h->end = 0;
	} else if (bytes < h->limit || !grow(h, bytes)) {
		return false;
	}
	h->limit = bytes;
	return true;
}

/* --- bits --------------------------------------------------------------------------------------------------------- */

static void set_bits(Bits *bits, size_t from, size_t n, bool on) {
	while (n) {
		const size_t in = from % WORD, part = n < WORD - in ? n : WORD - in;
		const Bits mask = (part == WORD ? ~(Bits)0 : ((Bits)1 << part) - 1) << in;
		bits[from / WORD] = on ? bits[from / WORD] | mask : bits[from / WORD] & ~mask;
		from += part;
		n -= part;
	}
}

/* The first granule from `i` on that is taken (or free), at most `end`. */
static size_t next_of(const Heap *h, size_t i, size_t end, bool taken) {
	while (i < end) {
		const Bits word = (taken ? h->taken[i / WORD] : ~h->taken[i / WORD]) >> i % WORD;
		if (word) {
			i += (size_t)__builtin_ctzll(word);
			return i < end ? i : end;
		}
		i = (i / WORD + 1) * WORD;
	}
	return end;
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

/* An object of no bytes has an address of its own, too. */
static size_t granules_of(size_t bytes) {
	return bytes ? (bytes + GRANULE - 1) / GRANULE : 1;
}

/* A freed object's granules and record become available. */
static void forget(Heap *h, size_t granule) {
	Allocation *a = h->of[granule];
	h->of[granule] = NULL;
	set_bits(h->begins, granule, 1, false);
	vec_push(&h->pool, a);
}

static void forget_oldest(Heap *h) {
	const size_t granule = h->resting.data[h->oldest++];
	if (h->of[granule] && h->of[granule]->freed) forget(h, granule);
	if (h->oldest < h->resting.len / 2 + 1) return;
	h->resting.len -= h->oldest;
	memmove(h->resting.data, h->resting.data + h->oldest, h->resting.len * sizeof *h->resting.data);
	h->oldest = 0;
}

static bool find_run(const Heap *h, size_t from, size_t end, size_t n, size_t *out) {
	for (size_t i = from; (i = next_of(h, i, end, false)) + n <= end;) {
		const size_t stop = next_of(h, i, i + n, true);
		if (stop == i + n) return *out = i, true;
		i = stop;
	}
	return false;
}

/* The last granule at or before i where an object begins, freed ones included; NOWHERE: none. */
static size_t last_begin(const Heap *h, size_t i) {
	for (;;) {
		const Bits word = h->begins[i / WORD] & (~(Bits)0 >> (WORD - 1 - i % WORD));
		if (word) return i / WORD * WORD + (size_t)(WORD - 1 - __builtin_clzll(word));
		if (i < WORD) return NOWHERE;
		i = i / WORD * WORD - 1;
	}
}

/* Freed objects in the way are forgotten, one that reaches in from before included. */
static void clear_run(Heap *h, size_t from, size_t n) {
	for (size_t i = last_begin(h, from + n - 1); i != NOWHERE; i = last_begin(h, i)) {
		if (i < from && i + granules_of(h->of[i]->bytes) <= from) return;
		forget(h, i);
	}
}

static Allocation *record(Heap *h) {
	if (!h->pool.len) {
		Allocation *a = xcalloc(1, sizeof *a);
		a->kind = ALLOC_HEAP;
		a->name = "malloc in the kernel";
		vec_push(&h->made, a);
		return a;
	}
	return h->pool.data[--h->pool.len];
}

static void put(Heap *h, Allocation *a, size_t at, size_t bytes) {
	const size_t n = granules_of(bytes);
	set_bits(h->taken, at, n, true);
	set_bits(h->begins, at, 1, true);
	h->of[at] = a;
	h->used += n * GRANULE + RECORD;
	h->objects++;
	if (at + n > h->end) h->end = at + n;
	a->host = h->host + at * GRANULE;
	a->base = HEAP_BASE + (uint64_t)at * SLOT;
	a->bytes = a->reach = bytes;
	a->freed = false;
}

Allocation *heap_take(Heap *h, size_t bytes) {
	const size_t n = granules_of(bytes), cost = n * GRANULE + RECORD;
	size_t at;
	if (bytes > h->limit || cost > h->limit - h->used) return NULL;
	if (!h->granules && !map_all(h, h->limit / GRANULE)) return NULL;
	if (!find_run(h, h->at, h->granules, n, &at) && !find_run(h, 0, h->granules, n, &at)) return NULL;
	clear_run(h, at, n);
	Allocation *a = record(h);
	put(h, a, at, bytes);
	memset(a->host, 0xff, n * GRANULE);
	h->at = at + n;
	return a;
}

void heap_retire(Heap *h, Allocation *a) {
	const size_t at = (size_t)(a->base - HEAP_BASE) / SLOT, n = granules_of(a->bytes);
	if (a->freed) return;
	a->freed = true;
	a->reach = 0;
	set_bits(h->taken, at, n, false);
	h->used -= n * GRANULE + RECORD;
	h->objects--;
	vec_push(&h->resting, at);
	if (h->resting.len - h->oldest > RESTING) forget_oldest(h);
}

void heap_sweep(Heap *h) {
	while (h->oldest < h->resting.len) forget_oldest(h);
	h->resting.len = h->oldest = 0;
}

Allocation *heap_nearest(const Heap *h, uint64_t addr) {
	size_t i = (size_t)((addr - HEAP_BASE) / SLOT);
	if (addr < HEAP_BASE || !h->granules) return NULL;
	i = last_begin(h, i < h->granules ? i : h->granules - 1);
	return i == NOWHERE ? NULL : h->of[i];
}

Allocation *heap_find(const Heap *h, uint64_t addr) {
	Allocation *a = heap_nearest(h, addr);
	return a && (addr == a->base || addr - a->base < a->bytes) ? a : NULL;
}

bool heap_has_objects(const Heap *h) {
	return h->objects != 0;
}

/* --- as it was ---------------------------------------------------------------------------------------------------- */

typedef struct {
	size_t granule, bytes;
	Allocation *record;
} SavedObject;

struct HeapImage {
	size_t at, n;
	SavedObject *objects; /* [n] */
	uint8_t *contents;    /* of all of them, one after the other */
};

/* The next granule from i on where an object begins, freed ones included; h->end: none. */
static size_t next_begin(const Heap *h, size_t i) {
	while (i < h->end) {
		const Bits word = h->begins[i / WORD] >> i % WORD;
		if (word) return i + (size_t)__builtin_ctzll(word);
		i = (i / WORD + 1) * WORD;
	}
	return h->end;
}

HeapImage *heap_save(const Heap *h, Arena *arena) {
	HeapImage *image = arena_alloc(arena, sizeof *image);
	*image = (HeapImage){.at = h->at,
						 .objects = arena_array(arena, h->objects + 1, sizeof *image->objects),
						 .contents = arena_alloc(arena, h->used + 1)};
	uint8_t *to = image->contents;
	for (size_t i = 0; image->n < h->objects && (i = next_begin(h, i)) < h->end; i++) {
		Allocation *a = h->of[i];
		if (a->freed) continue;
		image->objects[image->n++] = (SavedObject){i, a->bytes, a};
		memcpy(to, a->host, a->bytes);
		to += a->bytes;
	}
	return image;
}

void heap_put_back(Heap *h, const HeapImage *image) {
	const uint8_t *from = image->contents;
	for (size_t i = 0; (i = next_begin(h, i)) < h->end; i++) {
		set_bits(h->taken, i, granules_of(h->of[i]->bytes), false);
		forget(h, i);
	}
	h->pool.len = h->resting.len = h->oldest = h->used = h->objects = 0;
	if (image->n && !h->granules && !map_all(h, h->limit / GRANULE)) return;
	for (size_t i = 0; i < image->n; i++) {
		const SavedObject *o = &image->objects[i];
		put(h, o->record, o->granule, o->bytes);
		memcpy(o->record->host, from, o->bytes);
		from += o->bytes;
	}
	for (size_t i = 0; i < h->made.len; i++) {
		Allocation *a = h->made.data[i];
		const size_t at = (size_t)(a->base - HEAP_BASE) / SLOT;
		if (at >= h->granules || h->of[at] != a) vec_push(&h->pool, a);
	}
	h->at = image->at <= h->granules ? image->at : 0;
}
