/* runtime.h: allocations. A device allocation is at an address the program cannot read, as on a GPU, and its bytes are
 * in the memory that gpulab shares with it: copies are made here, in the program. Managed and pinned memory is mapped
 * at its device address. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

enum { PAGE = 4096 };

static VEC(Block) blocks; /* by address */
static uint64_t next_managed = EXEC_MANAGED, used;

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* How many blocks begin at or before the address. */
static size_t after(uint64_t addr) {
	size_t low = 0, high = blocks.len;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (blocks.data[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

Block *block_at(uint64_t addr) {
	const size_t i = after(addr);
	if (!i || addr - blocks.data[i - 1].addr >= blocks.data[i - 1].bytes) return NULL;
	return &blocks.data[i - 1];
}

static void insert(Block b) {
	const size_t i = after(b.addr);
	vec_push(&blocks, b);
	memmove(&blocks.data[i + 1], &blocks.data[i], (blocks.len - 1 - i) * sizeof b);
	blocks.data[i] = b;
}

static void erase(const Block *b) {
	const size_t i = (size_t)(b - blocks.data);
	memmove(&blocks.data[i], &blocks.data[i + 1], (blocks.len - 1 - i) * sizeof *b);
	blocks.len--;
}

void block_note(uint64_t addr, uint64_t bytes) {
	insert((Block){.addr = addr, .bytes = bytes, .kind = BLOCK_VARIABLE});
}

uint64_t blocks_used(void) {
	return used;
}

/* --- allocating --------------------------------------------------------------------------------------------------- */

static size_t pages(size_t bytes) {
	return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* The same bytes at the device's address, if nothing is there yet. A child process sees pinned memory, but not managed
 * memory, as on a GPU. */
static bool map_at_device(const ExecPlace *place, size_t bytes, BlockKind kind) {
	void *wanted = (void *)(uintptr_t)place->addr; /* NOLINT(performance-no-int-to-ptr) */
	void *at = mmap(wanted, pages(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (at == wanted && pool_map(place->at, pages(bytes), wanted))
		return kind == BLOCK_MANAGED || madvise(wanted, pages(bytes), MADV_DOFORK) == 0;
	if (at != MAP_FAILED) munmap(at, pages(bytes));
	return false;
}

static void release(uint64_t addr) {
	ask(EXEC_release, &(Number){addr}, NULL);
}

cudaError_t block_new(size_t bytes, BlockKind kind, void **out) {
	const bool mapped = kind != BLOCK_DEVICE;
	static const char *const names[] = {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost"};
	const Alloc request = {.bytes = bytes, .again = mapped ? next_managed : 0, .name = names[kind]};
	ExecPlace place;
	*out = NULL;
	if (!bytes) return cudaSuccess;
	if (!ask(EXEC_alloc, &request, &place)) return cudaErrorMemoryAllocation;
	if (mapped) {
		next_managed += pages(bytes) + PAGE;
		if (!map_at_device(&place, bytes, kind)) {
			release(place.addr);
			return cudaErrorMemoryAllocation;
		}
	}
	insert((Block){.addr = place.addr, .bytes = bytes, .view = pool_at(place.at), .kind = kind});
	used += bytes;
	*out = (void *)(uintptr_t)place.addr; /* NOLINT(performance-no-int-to-ptr) */
	return cudaSuccess;
}

static void drop(Block *b) {
	const Block old = *b;
	if (old.kind == BLOCK_MANAGED || old.kind == BLOCK_HOST)
		munmap((void *)(uintptr_t)old.addr, pages(old.bytes)); /* NOLINT(performance-no-int-to-ptr) */
	used -= old.bytes;
	if (old.pool) pool_freed(old.pool, old.bytes);
	erase(b);
	release(old.addr);
}

cudaError_t block_free(void *at, bool host) {
	Block *b = block_at((uint64_t)(uintptr_t)at);
	if (!at) return cudaSuccess;
	if (!b || b->addr != (uint64_t)(uintptr_t)at || b->kind == BLOCK_VARIABLE || (b->kind == BLOCK_HOST) != host)
		return cudaErrorInvalidValue;
	drop(b);
	return cudaSuccess;
}

/* cudaDeviceReset: the device's memory is gone. */
void blocks_reset(void) {
	for (size_t i = blocks.len; i-- > 0;)
		if (blocks.data[i].kind == BLOCK_DEVICE || blocks.data[i].kind == BLOCK_MANAGED) drop(&blocks.data[i]);
}
