/* The runtime's functions for memory of the program that kernels reach. What cudaHostAlloc gives is at one address on
 * both sides. Memory that is registered later stays where it is; its pages become those of an allocation, which has an
 * address of its own on the device. */
#include <string.h>
#include <sys/mman.h>

#include "base/proc.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

typedef struct {
	char *host, *first; /* as registered; its first page */
	size_t bytes;       /* of the pages */
	void *block;        /* on the device; NULL: not mapped there */
} Registered;

static VEC(Registered) registered;

static Registered *registered_at(const void *host) {
	for (size_t i = 0; i < registered.len; i++) {
		const Registered *r = &registered.data[i];
		if ((const char *)host >= r->first && (const char *)host < r->first + r->bytes) return &registered.data[i];
	}
	return NULL;
}

bool is_registered(const void *host) {
	return registered_at(host) != NULL;
}

static cudaError_t map_on_device(Registered *r) {
	const cudaError_t error = block_new(r->bytes, BLOCK_HOST, &r->block);
	if (error != cudaSuccess) return error;
	char *view = block_at((uint64_t)(uintptr_t)r->block)->view;
	memcpy(view, r->first, r->bytes);
	if (pool_map((uint64_t)(view - pool_at(0)), r->bytes, r->first) && madvise(r->first, r->bytes, MADV_DOFORK) == 0)
		return cudaSuccess;
	block_free(r->block, true);
	return cudaErrorMemoryAllocation;
}

/* The program's own pages again, with the same contents. */
static void unmap_on_device(const Registered *r) {
	char *copy = mmap(NULL, r->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED) return;
	memcpy(copy, r->first, r->bytes);
	mremap(copy, r->bytes, r->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, r->first);
	block_free(r->block, true);
}

API cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned flags) {
	cudaError_t error = cudaSuccess;
	BEGIN;
	uintptr_t end;
	if (!host || !bytes || __builtin_add_overflow((uintptr_t)host, bytes, &end)) return returned(cudaErrorInvalidValue);
	if (registered_at(host)) return returned(cudaErrorHostMemoryAlreadyRegistered);
	char *first = (char *)((uintptr_t)host & ~(uintptr_t)(page_bytes() - 1)); /* NOLINT(performance-no-int-to-ptr) */
	const size_t all = pages_up(end - (uintptr_t)first);
	if (msync(first, all, MS_ASYNC) < 0) return returned(cudaErrorNotSupported); /* not all of it is there */
	Registered r = {.host = host, .first = first, .bytes = all};
	if (flags & cudaHostRegisterMapped) error = map_on_device(&r);
	if (error == cudaSuccess) vec_push(&registered, r);
	return returned(error);
}

API cudaError_t cudaHostUnregister(void *host) {
	BEGIN;
	Registered *r = registered_at(host);
	if (!r || r->host != host) return returned(cudaErrorHostMemoryNotRegistered);
	if (r->block) unmap_on_device(r);
	*r = registered.data[--registered.len];
	return returned(cudaSuccess);
}

API cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags) {
	BEGIN;
	const Block *b = block_at((uint64_t)(uintptr_t)host);
	const Registered *r = registered_at(host);
	if (r && r->block)
		*out = (char *)r->block + ((char *)host - r->first);
	else if (b && b->kind == BLOCK_HOST)
		*out = host;
	else {
		because("the memory is not pinned: allocate it with cudaMallocHost, or call cudaHostRegister");
		return returned(cudaErrorInvalidValue);
	}
	return returned(cudaSuccess);
}

API cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
	BEGIN;
	const Block *b = block_at((uint64_t)(uintptr_t)host);
	if (b && b->kind == BLOCK_HOST) *flags = b->flags | cudaHostAllocMapped;
	return returned(b && b->kind == BLOCK_HOST ? cudaSuccess : cudaErrorInvalidValue);
}
