/* runtime.h: allocations. A device allocation is at an address the program cannot read, as on a GPU, and its bytes are
 * in the memory that gpulab shares with it: copies are made here, in the program. Managed and pinned memory is mapped
 * at its device address. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/ordered.h"
#include "base/proc.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

static OrderedMap blocks; /* of Block *, by address */
static uint64_t next_managed = EXEC_MANAGED, next_of_graphs = EXEC_GRAPHS, used;

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* --- the table ---------------------------------------------------------------------------------------------------- */

static Block *block_of(const OrderedEntry *e) {
	return e ? (Block *)(uintptr_t)e->value : NULL; /* NOLINT(performance-no-int-to-ptr) */
}

Block *block_at(uint64_t addr) {
	Block *b = block_of(ordered_floor(&blocks, addr));
	return b && addr - b->addr < b->bytes ? b : NULL;
}

static void insert(Block b) {
	Block *own = xmalloc(sizeof *own);
	*own = b;
	*ordered_at(&blocks, b.addr) = (uintptr_t)own;
}

void block_note(uint64_t addr, uint64_t bytes) {
	insert((Block){.addr = addr, .bytes = bytes, .kind = BLOCK_VARIABLE});
}

void results_taken(void) {
	static bool told;
	if (!told) ask(EXEC_taken, &(Nothing){0}, NULL);
	told = true;
}

bool points_to_block(const void *host) {
	uint64_t word;
	return read_words(host, &word, 1) && block_at(word);
}

uint64_t blocks_used(void) {
	return used;
}

/* --- allocating --------------------------------------------------------------------------------------------------- */

/* The same bytes at the device's address, if nothing is there yet. A child process sees pinned memory, but not managed
 * memory, as on a GPU. */
static bool map_at_device(const ExecPlace *place, size_t bytes, BlockKind kind) {
	void *wanted = (void *)(uintptr_t)place->addr; /* NOLINT(performance-no-int-to-ptr) */
	void *at = mmap(wanted, pages_up(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (at == wanted && pool_map(place->at, pages_up(bytes), wanted))
		return kind == BLOCK_MANAGED || madvise(wanted, pages_up(bytes), MADV_DOFORK) == 0;
	if (at != MAP_FAILED) munmap(at, pages_up(bytes));
	return false;
}

static void release(uint64_t addr) {
	Number places[EXEC_MOST_PLACES];
	ask(EXEC_release, &(ExecRelease){find_call(places), addr}, NULL);
}

uint64_t block_reserve(size_t bytes, BlockKind kind) {
	uint64_t *next = kind == BLOCK_DEVICE ? &next_of_graphs : &next_managed;
	const uint64_t addr = *next;
	*next += pages_up(bytes) + page_bytes();
	return addr;
}

/* Where the device's memory is not mapped, pinned memory is the program's own, which copies use and kernels do not. */
static cudaError_t own_memory(uint64_t addr, size_t bytes, BlockKind kind, void **out) {
	void *wanted = (void *)(uintptr_t)addr; /* NOLINT(performance-no-int-to-ptr) */
	if (kind == BLOCK_MANAGED) because("the host code of this program is judged, and gets no managed memory");
	if (kind == BLOCK_MANAGED) return cudaErrorNotSupported;
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
	char *at = mmap(wanted, pages_up(bytes), PROT_READ | PROT_WRITE, flags, -1, 0);
	if (at != wanted) return cudaErrorMemoryAllocation;
	insert((Block){.addr = addr, .bytes = bytes, .view = at, .kind = kind, .own = true});
	used += bytes;
	*out = at;
	return cudaSuccess;
}

static cudaError_t make(uint64_t addr, size_t bytes, BlockKind kind, const char *variable, void **out) {
	static const char *const names[] = {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost"};
	Number places[EXEC_MOST_PLACES];
	ExecPlace place;
	const ExecAlloc request = {
		.by = find_call(places), .bytes = bytes, .again = addr, .kind = names[kind], .variable = variable};
	if (!(facts(), pool_at(0)) && kind != BLOCK_DEVICE) return own_memory(addr, bytes, kind, out);
	if (!ask(EXEC_alloc, &request, &place)) {
		because("%s", (int64_t)bytes < 0 ? size_text(bytes).text : problem());
		return cudaErrorMemoryAllocation;
	}
	if (kind != BLOCK_DEVICE && !map_at_device(&place, bytes, kind)) {
		release(place.addr);
		return cudaErrorMemoryAllocation;
	}
	if (kind != BLOCK_DEVICE) results_taken();
	insert((Block){.addr = place.addr, .bytes = bytes, .view = pool_at(place.at), .kind = kind});
	used += bytes;
	*out = (void *)(uintptr_t)place.addr; /* NOLINT(performance-no-int-to-ptr) */
	return cudaSuccess;
}

cudaError_t block_at_address(uint64_t addr, size_t bytes, BlockKind kind, void **out) {
	return make(addr, bytes, kind, NULL, out);
}

cudaError_t block_of_variable(const char *name, size_t bytes, void **out) {
	return make(block_reserve(bytes, BLOCK_MANAGED), bytes, BLOCK_MANAGED, name, out);
}

cudaError_t block_new(size_t bytes, BlockKind kind, void **out) {
	*out = NULL;
	if (!bytes)
		mistake("0 bytes are allocated, and the pointer is null: a count of 0, or a product that does not fit an int");
	if (!bytes) return cudaSuccess;
	return block_at_address(kind == BLOCK_DEVICE ? 0 : block_reserve(bytes, kind), bytes, kind, out);
}

static void drop(Block *b) {
	if (b->kind == BLOCK_MANAGED || b->kind == BLOCK_HOST)
		munmap((void *)(uintptr_t)b->addr, pages_up(b->bytes)); /* NOLINT(performance-no-int-to-ptr) */
	used -= b->bytes;
	if (b->pool) pool_freed(b->pool, b->bytes);
	ordered_remove(&blocks, b->addr);
	if (!b->own) release(b->addr);
	free(b);
}

/* Why a pointer cannot be given back so; NULL: it can. */
static const char *not_freed(const Block *b, uint64_t addr, bool host) {
	const bool device = addr >= EXEC_DEVICE_FIRST && addr < EXEC_DEVICE_END;
	if (!b && device && block_at(addr - 1)) return "it points behind an allocation, not to its beginning";
	if (!b && device) return "nothing is allocated there: it was freed already, or the pointer is wrong";
	if (!b && points_to_block((const void *)(uintptr_t)addr))
		return "a pointer to device memory is there, and not the memory: pass it without the &";
	if (!b) return "the pointer is memory of malloc or new, or a variable: give that back with free or delete";
	if (b->kind == BLOCK_VARIABLE) return "it is a variable of the device, which is not allocated";
	if (b->addr != addr) return "the pointer is into an allocation, not to its beginning";
	if ((b->kind == BLOCK_HOST) == host) return NULL;
	return host ? "it is memory of cudaMalloc: use cudaFree" : "it is memory of cudaMallocHost: use cudaFreeHost";
}

cudaError_t block_free(void *at, bool host) {
	const uint64_t addr = (uint64_t)(uintptr_t)at;
	Block *b = block_at(addr);
	if (!at) return cudaSuccess;
	if (!b || !b->pool) printed_comes_out(), order_host_waited(true);
	const char *why = not_freed(b, addr, host);
	if (why) because("%s", why);
	if (why || !b) return cudaErrorInvalidValue;
	drop(b);
	return cudaSuccess;
}

Touched *blocks_managed(uint64_t stream, size_t *n) {
	VEC(Touched) found = {0};
	uint64_t from = EXEC_MANAGED;
	for (const OrderedEntry *e; (e = ordered_ceiling(&blocks, from)); from++) {
		const Block *b = block_of(e);
		from = b->addr;
		if (b->kind != BLOCK_MANAGED || (b->attached && b->attached != stream)) continue;
		vec_push(&found, ((Touched){b->addr, b->bytes, TOUCHED_WRITTEN}));
	}
	*n = found.len;
	return found.data;
}

/* cudaDeviceReset: the device's memory is gone. */
void blocks_reset(void) {
	uint64_t from = 0;
	for (const OrderedEntry *e; (e = ordered_ceiling(&blocks, from)); from++) {
		Block *b = block_of(e);
		from = b->addr;
		if (b->kind == BLOCK_DEVICE || b->kind == BLOCK_MANAGED) drop(b);
	}
}
