/* Allocations in a table by address. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/ordered.h"
#include "emu/memory/heap.h"
#include "emu/memory/memory.h"
#include "emu/observer.h"

enum {
	GAP = 1 << 20,
	BASE_ALIGN = 1 << 20, /* buffers begin where cudaMalloc's large ones do */
	MAPPED = 1 << 20      /* from this size on the bytes are mapped, below they come from the heap */
};

struct Memory {
	pthread_rwlock_t lock;
	OrderedMap table; /* of Allocation *, by base */
	uint64_t next, next_mapped;
	size_t used, limit;
	Heap *heap;
};

Memory *memory_new(size_t limit) {
	Memory *m = xcalloc(1, sizeof *m);
	pthread_rwlock_init(&m->lock, NULL);
	m->next = GLOBAL_BASE;
	m->next_mapped = MAPPED_BASE;
	m->limit = limit;
	m->heap = heap_new();
	return m;
}

static void free_bytes(uint8_t *host, size_t bytes) {
	if (host && bytes >= MAPPED)
		munmap(host, bytes);
	else
		free(host);
}

static void drop_bytes(Allocation *a) {
	assert(a->host || a->freed || !a->bytes);
	if (!a->foreign) free_bytes(a->host, a->bytes);
	free(a->written);
	a->host = NULL;
	a->written = NULL;
}

static void drop(Allocation *a) {
	drop_bytes(a);
	free((char *)a->name);
	free(a);
}

static Allocation *allocation_of(const OrderedEntry *e) {
	return e ? (Allocation *)(uintptr_t)e->value : NULL; /* NOLINT(performance-no-int-to-ptr) */
}

void memory_free(Memory *m) {
	if (!m) return;
	for (const OrderedEntry *e = ordered_first(&m->table); e; e = ordered_next(&m->table, e)) drop(allocation_of(e));
	ordered_free(&m->table);
	heap_free(m->heap);
	pthread_rwlock_destroy(&m->lock);
	free(m);
}

static uint64_t align_up(uint64_t x, uint64_t to) {
	assert(to && !(to & (to - 1)));
	return (x + to - 1) & ~(to - 1);
}

static bool out_of_memory(const Memory *m, size_t bytes, const char *name, Err *err) {
	err_set(err, ERR_SETUP, "no memory for %s: %zu bytes requested, %zu in use, the limit is %zu", name, bytes, m->used,
			m->limit);
	return err_hint(err, "free buffers or use a smaller problem size");
}

static uint8_t *get_bytes(size_t bytes) {
	if (bytes < MAPPED) return aligned_alloc(64, align_up(bytes + 1, 64));
	uint8_t *host = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (host == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
	madvise(host, bytes, MADV_HUGEPAGE);
#endif
	return host;
}

/* Subtracts the bytes from the budget; false: too many. */
static bool reserve(Memory *m, size_t bytes) {
	pthread_rwlock_wrlock(&m->lock);
	const bool fits = bytes <= ((size_t)1 << 46) && (!m->limit || (bytes <= m->limit && m->used <= m->limit - bytes));
	if (fits) m->used += bytes;
	pthread_rwlock_unlock(&m->lock);
	return fits;
}

static void give_back(Memory *m, size_t bytes) {
	assert(bytes <= m->used);
	m->used -= bytes;
}

static char *short_name(const char *name) {
	const size_t len = strnlen(name, ALLOCATION_NAME - 1);
	char *copy = xmalloc(len + 1);
	memcpy(copy, name, len);
	copy[len] = '\0';
	return copy;
}

static bool in_heap(uint64_t addr) {
	return addr >= HEAP_BASE && addr < MAPPED_BASE;
}

/* The next free place for one of that kind, unless it has to be `base`. */
static bool place(Memory *m, Allocation *a, uint64_t base) {
	const uint64_t align = a->kind == ALLOC_BUFFER || a->kind == ALLOC_MAPPED ? BASE_ALIGN : 256;
	uint64_t *next = a->kind == ALLOC_MAPPED ? &m->next_mapped : &m->next;
	a->base = base ? base : align_up(*next, align);
	const uint64_t last_byte = a->base + a->bytes - (a->bytes > 0);
	const Allocation *other = base ? allocation_of(ordered_floor(&m->table, last_byte)) : NULL;
	if (other && other->base + other->bytes > base) return false;
	const bool apart = a->base >= PLACED_BASE && a->base < HEAP_BASE; /* the caller's own range */
	if (!apart && a->base + a->bytes + GAP > *next) *next = a->base + a->bytes + GAP;
	uint64_t *entry = ordered_at(&m->table, a->base);
	assert(!*entry && !in_heap(a->base)); /* no two begin at one address */
	*entry = (uintptr_t)a;
	return true;
}

static Allocation *add(Memory *m, AllocKind kind, size_t bytes, const char *name, uint8_t *host, uint64_t base) {
	Allocation *a = xcalloc(1, sizeof *a);
	a->host = host;
	a->bytes = a->reach = bytes;
	a->kind = kind;
	a->name = short_name(name ? name : "");
	pthread_rwlock_wrlock(&m->lock);
	const bool placed = place(m, a, base);
	if (!placed) give_back(m, bytes);
	pthread_rwlock_unlock(&m->lock);
	if (placed) return a;
	free(a->written);
	free((char *)a->name);
	free(a);
	return NULL;
}

static void return_bytes(Memory *m, size_t bytes) {
	pthread_rwlock_wrlock(&m->lock);
	give_back(m, bytes);
	pthread_rwlock_unlock(&m->lock);
}

/* Its bytes belong to the allocation's owner from then on. */
static uint8_t *fresh_bytes(Memory *m, size_t bytes, const char *name, Err *err) {
	if (!reserve(m, bytes)) {
		out_of_memory(m, bytes, name, err);
		return NULL;
	}
	uint8_t *host = get_bytes(bytes);
	if (host) return memset(host, 0xff, bytes);
	return_bytes(m, bytes);
	out_of_memory(m, bytes, name, err);
	return NULL;
}

Allocation *memory_add(Memory *m, AllocKind kind, size_t bytes, const char *name, Err *err) {
	uint8_t *host = fresh_bytes(m, bytes, name, err);
	return host ? add(m, kind, bytes, name, host, 0) : NULL;
}

static void address_taken(uint64_t base, Err *err) {
	err_set(err, ERR_USAGE, "the address 0x%llx is taken", (unsigned long long)base);
}

Allocation *memory_add_at(Memory *m, AllocKind kind, size_t bytes, const char *name, uint64_t base, Err *err) {
	if (base < GLOBAL_BASE || base >= PLACED_BASE || bytes > PLACED_BASE - base || base % 256) {
		err_set(err, ERR_USAGE, "0x%llx is no address of a variable", (unsigned long long)base);
		return NULL;
	}
	uint8_t *host = fresh_bytes(m, bytes, name, err);
	Allocation *a = host ? add(m, kind, bytes, name, host, base) : NULL;
	if (a || !host) return a;
	free_bytes(host, bytes);
	address_taken(base, err);
	return NULL;
}

/* What was freed there is not remembered any more. */
static void clear_place(Memory *m, uint64_t base) {
	Allocation *a = memory_find(m, base);
	if (a && a->base == base && a->freed && a->kind != ALLOC_HEAP) memory_forget(m, a);
}

Allocation *memory_add_over(Memory *m, AllocKind kind, size_t bytes, const char *name, uint8_t *host, uint64_t base,
							Err *err) {
	if (base) clear_place(m, base);
	if (!reserve(m, bytes)) {
		out_of_memory(m, bytes, name, err);
		return NULL;
	}
	Allocation *a = add(m, kind, bytes, name, host, base);
	if (a)
		a->foreign = true;
	else
		address_taken(base, err);
	return a;
}

Allocation *memory_find(const Memory *memory, uint64_t addr) {
	Memory *m = (Memory *)memory;
	pthread_rwlock_rdlock(&m->lock);
	Allocation *a = allocation_of(ordered_floor(&m->table, addr));
	if (in_heap(addr))
		a = heap_find(m->heap, addr);
	else if (a && addr - a->base >= a->bytes)
		a = NULL;
	pthread_rwlock_unlock(&m->lock);
	return a;
}

Allocation *memory_nearest(const Memory *memory, uint64_t addr) {
	Memory *m = (Memory *)memory;
	pthread_rwlock_rdlock(&m->lock);
	Allocation *below = allocation_of(ordered_floor(&m->table, addr));
	Allocation *above = below && below->base == addr ? below : allocation_of(ordered_ceiling(&m->table, addr));
	const bool inside = below && addr - below->base < below->bytes;
	while (below && !inside && memory_is_hidden(below))
		below = allocation_of(ordered_floor(&m->table, below->base - 1));
	while (above && !inside && memory_is_hidden(above))
		above = allocation_of(ordered_ceiling(&m->table, above->base + 1));
	Allocation *object = in_heap(addr) ? heap_nearest(m->heap, addr) : NULL;
	pthread_rwlock_unlock(&m->lock);
	if (object) return object;
	if (!below || !above) return below ? below : above;
	uint64_t past = addr - below->base < below->bytes ? 0 : addr - below->base - below->bytes;
	return past <= above->base - addr ? below : above;
}

bool memory_release(Memory *m, uint64_t base, Err *err) {
	pthread_rwlock_wrlock(&m->lock);
	Allocation *a = allocation_of(ordered_floor(&m->table, base));
	bool ok = a && a->base == base && !a->freed;
	assert(!ok || a->kind != ALLOC_HEAP);
	if (ok) {
		a->freed = true;
		a->reach = 0;
		give_back(m, a->bytes);
		drop_bytes(a);
	}
	bool twice = a && a->base == base && !ok;
	pthread_rwlock_unlock(&m->lock);
	if (ok) return true;
	if (twice) return err_set(err, ERR_USAGE, "address 0x%llx was freed before", (unsigned long long)base);
	return err_set(err, ERR_USAGE, "address 0x%llx is not the beginning of an allocation", (unsigned long long)base);
}

Allocation *memory_malloc(Memory *m, size_t bytes) {
	pthread_rwlock_wrlock(&m->lock);
	Allocation *a = heap_take(m->heap, bytes);
	pthread_rwlock_unlock(&m->lock);
	return a;
}

void memory_retire(Memory *m, Allocation *a) {
	pthread_rwlock_wrlock(&m->lock);
	heap_retire(m->heap, a);
	pthread_rwlock_unlock(&m->lock);
}

bool memory_heap_limit(Memory *m, size_t bytes) {
	pthread_rwlock_wrlock(&m->lock);
	const bool ok = heap_limit(m->heap, bytes);
	pthread_rwlock_unlock(&m->lock);
	return ok;
}

HeapImage *memory_heap_save(const Memory *m, Arena *arena) {
	return heap_save(m->heap, arena);
}

void memory_heap_put_back(Memory *m, const HeapImage *image) {
	heap_put_back(m->heap, image);
}

void memory_sweep(Memory *m) {
	pthread_rwlock_wrlock(&m->lock);
	heap_sweep(m->heap);
	pthread_rwlock_unlock(&m->lock);
}

void memory_forget(Memory *m, Allocation *a) {
	if (!a) return;
	pthread_rwlock_wrlock(&m->lock);
	assert(allocation_of(ordered_floor(&m->table, a->base)) == a);
	ordered_remove(&m->table, a->base);
	if (!a->freed) give_back(m, a->bytes);
	pthread_rwlock_unlock(&m->lock);
	drop(a);
}

bool memory_has_heap(const Memory *memory) {
	Memory *m = (Memory *)memory;
	pthread_rwlock_rdlock(&m->lock);
	const bool any = heap_has_objects(m->heap);
	pthread_rwlock_unlock(&m->lock);
	return any;
}

void memory_track_fresh(Memory *m, Allocation *a) {
	if (a->kind == ALLOC_HEAP) return; /* its object's bits are the heap's */
	pthread_rwlock_wrlock(&m->lock);
	free(a->written);
	a->written = a->freed ? NULL : xcalloc(a->bytes / 8 + 1, 1);
	pthread_rwlock_unlock(&m->lock);
}

/* Two host threads may write adjacent bytes: their bits are set atomically, and only if not yet set. */
void allocation_mark(Allocation *a, size_t offset, size_t bytes) {
	if (!a->written) return;
	assert(offset <= a->bytes && bytes <= a->bytes - offset);
	while (bytes) {
		size_t in = offset & 7, n = bytes < 8 - in ? bytes : 8 - in;
		uint8_t bits = (uint8_t)(((1u << n) - 1) << in);
		uint8_t *byte = &a->written[offset >> 3];
		if ((__atomic_load_n(byte, __ATOMIC_RELAXED) & bits) != bits) __atomic_fetch_or(byte, bits, __ATOMIC_RELAXED);
		offset += n;
		bytes -= n;
	}
}

bool allocation_written(const Allocation *a, size_t offset, size_t bytes) {
	if (!a->written) return true;
	assert(offset <= a->bytes && bytes <= a->bytes - offset);
	for (; bytes; offset++, bytes--)
		if (!(a->written[offset >> 3] >> (offset & 7) & 1)) return false;
	return true;
}
