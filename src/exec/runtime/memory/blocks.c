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

enum { PAGE = 4096, CALL_BYTES = 64 << 20 };

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
	if (!bytes) return kind == BLOCK_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
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

/* --- places ------------------------------------------------------------------------------------------------------- */

typedef struct {
	uint64_t addr;
	char *view; /* NULL: by calls */
	bool device, tracked;
} Place;

/* Place `bytes` from an address on are; false: partly outside an allocation. */
static bool place_of(const void *at, size_t bytes, Place *out) {
	const uint64_t addr = (uint64_t)(uintptr_t)at;
	const Block *b = block_at(addr);
	*out = (Place){.addr = addr, .view = (char *)(uintptr_t)at};
	if (!b) return addr < EXEC_DEVICE_FIRST || addr >= EXEC_DEVICE_END;
	out->device = b->kind != BLOCK_HOST;
	out->tracked = b->kind == BLOCK_DEVICE;
	out->view = b->view ? b->view + (addr - b->addr) : NULL;
	return bytes <= b->bytes - (addr - b->addr);
}

/* Host code wrote there: for the checker of uninitialized reads. */
static void written(const Place *p, size_t bytes) {
	if (p->tracked && facts()->check && bytes) ask(EXEC_write, &(ExecWrite){.addr = p->addr, .bytes = bytes}, NULL);
}

/* The rows at a place, of which the checker is told where operations of streams run. */
static void touches(const Place *at, size_t pitch, size_t width, size_t height, uint32_t kinds, bool fill) {
	if (!order_now() || !block_at(at->addr)) return;
	if (pitch == width || height == 1) width *= height, height = 1;
	if (height > MOST_TOUCHED) return;
	AUTO_FREE Touched *rows = xcalloc(height, sizeof *rows);
	for (size_t y = 0; y < height; y++) rows[y] = (Touched){at->addr + y * pitch, width, kinds};
	ask(EXEC_touched, &(ExecTouched){rows, (uint32_t)height, fill}, NULL);
}

static bool put(const Place *to, const char *from, size_t bytes) {
	if (to->view) {
		memmove(to->view, from, bytes);
		return true;
	}
	for (size_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < CALL_BYTES ? bytes - done : CALL_BYTES;
		if (!ask(EXEC_write, &(ExecWrite){to->addr + done, n, from + done, n}, NULL)) return false;
	}
	return true;
}

static bool get(char *to, const Place *from, size_t bytes) {
	Got got;
	if (from->view) {
		memmove(to, from->view, bytes);
		return true;
	}
	for (size_t done = 0, n; done < bytes; done += n) {
		n = bytes - done < CALL_BYTES ? bytes - done : CALL_BYTES;
		if (!ask(EXEC_read, &(Bulk){from->addr + done, n, false}, &got) || got.bytes != n) return false;
		memcpy(to + done, got.data, n);
	}
	return true;
}

static bool move(const Place *to, const Place *from, size_t bytes) {
	if (from->view) return put(to, from->view, bytes);
	if (to->view) return get(to->view, from, bytes);
	AUTO_FREE char *between = malloc(bytes);
	return between && get(between, from, bytes) && put(to, between, bytes);
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static bool direction_fits(const Place *to, const Place *from, enum cudaMemcpyKind kind) {
	switch (kind) {
	case cudaMemcpyHostToDevice: return to->device || block_at(to->addr);
	case cudaMemcpyDeviceToHost: return from->device || block_at(from->addr);
	case cudaMemcpyDeviceToDevice: return (to->device || block_at(to->addr)) && (from->device || block_at(from->addr));
	case cudaMemcpyHostToHost:
	case cudaMemcpyDefault: return true;
	default: return false;
	}
}

/* The time a GPU takes, for events under predictions. */
static void predict(const Place *to, const Place *from, size_t bytes) {
	const ExecFacts *f = facts();
	if (!f->predict) return;
	const double gbps = to->device && from->device ? f->gpu->dram_gbps / 2
						: to->device               ? f->gpu->to_device_gbps
						: from->device             ? f->gpu->from_device_gbps
												   : 0;
	if (gbps > 0) clock_add(f->gpu->copy_us / 1e3 + (double)bytes / gbps / 1e6);
}

cudaError_t copy_bytes(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	return copy_rows(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
					  enum cudaMemcpyKind kind) {
	Place t, f;
	if (!width || !height) return cudaSuccess;
	if (height > 1 && (to_pitch < width || from_pitch < width)) return cudaErrorInvalidPitchValue;
	if (!to || !from || !place_of(to, (height - 1) * to_pitch + width, &t) ||
		!place_of(from, (height - 1) * from_pitch + width, &f))
		return cudaErrorInvalidValue;
	if (!direction_fits(&t, &f, kind))
		return (unsigned)kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection : cudaErrorInvalidValue;
	predict(&t, &f, width * height);
	touches(&f, from_pitch, width, height, TOUCHED_READ, false);
	touches(&t, to_pitch, width, height, TOUCHED_WRITTEN, false);
	const Place first = t;
	for (size_t y = 0; y < height; y++) {
		if (!move(&t, &f, width)) return cudaErrorUnknown;
		if (height > 1 && to_pitch != width) written(&t, width);
		t.addr += to_pitch;
		f.addr += from_pitch;
		if (t.view) t.view += to_pitch;
		if (f.view) f.view += from_pitch;
	}
	if (height == 1 || to_pitch == width) written(&first, width * height);
	return cudaSuccess;
}

cudaError_t set_rows(void *at, size_t pitch, int value, size_t width, size_t height) {
	Place p;
	if (!width || !height) return cudaSuccess;
	if (!place_of(at, (height - 1) * pitch + width, &p) || !block_at(p.addr)) return cudaErrorInvalidValue;
	if (facts()->predict) clock_add((double)(width * height) / facts()->gpu->dram_gbps / 1e6);
	touches(&p, pitch, width, height, TOUCHED_WRITTEN, true);
	char *row = p.view ? NULL : malloc(width);
	if (row) memset(row, value, width);
	for (size_t y = 0; y < height; y++) {
		if (p.view)
			memset(p.view, value, width);
		else if (!row || !put(&p, row, width))
			break;
		written(&p, width);
		p.addr += pitch;
		if (p.view) p.view += pitch;
	}
	free(row);
	return cudaSuccess;
}
