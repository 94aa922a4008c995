/* The runtime's functions for memory of the program that kernels reach. What cudaHostAlloc gives is at one address on
 * both sides. Memory that is registered later stays where it is; once the program asks for its address on the device,
 * its pages become those of an allocation, which is there. */
#include <string.h>
#include <sys/mman.h>

#include "base/proc.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

typedef struct {
	char *host, *first; /* as registered; its first page */
	size_t bytes;       /* of the pages */
	void *block;        /* on the device; NULL: not mapped there yet */
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

/* --- other pages, with the same contents -------------------------------------------------------------------------- */

/* While they are copied nothing may write them: a thread that does waits. What the system writes for a program, as
 * read() does, fails. */
static bool move_pages(const Registered *r, char *to, bool (*map)(const Registered *r, char *pages)) {
	host_access_moving(r->first, r->bytes);
	const bool held = mprotect(r->first, r->bytes, PROT_READ) == 0;
	if (held) memcpy(to, r->first, r->bytes);
	const bool done = held && map(r, to);
	if (held && !done) mprotect(r->first, r->bytes, PROT_READ | PROT_WRITE);
	host_access_moved();
	return done;
}

static bool map_view(const Registered *r, char *view) {
	return pool_map((uint64_t)(view - pool_at(0)), r->bytes, r->first) && madvise(r->first, r->bytes, MADV_DOFORK) == 0;
}

static bool map_own(const Registered *r, char *own) {
	return mremap(own, r->bytes, r->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, r->first) == r->first;
}

/* When the program asks for the address there: registered memory that only copies use stays as it is. */
static cudaError_t map_on_device(Registered *r) {
	if (r->block) return cudaSuccess;
	if (is_on_stack(r->first, r->bytes)) { /* in use while its pages would be copied */
		because("the memory is on the stack, which gpulab cannot map on the device: use cudaMallocHost or malloc");
		return cudaErrorNotSupported;
	}
	if (!pool_at(0)) return cudaErrorNotSupported;
	const cudaError_t error = block_new(r->bytes, BLOCK_HOST, &r->block);
	if (error != cudaSuccess) return error;
	if (move_pages(r, block_at((uint64_t)(uintptr_t)r->block)->view, map_view)) return cudaSuccess;
	block_free(r->block, true);
	r->block = NULL;
	return cudaErrorMemoryAllocation;
}

/* The program's own pages again. */
static cudaError_t unmap_on_device(const Registered *r) {
	char *own = mmap(NULL, r->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (own == MAP_FAILED) return cudaErrorMemoryAllocation;
	if (!move_pages(r, own, map_own)) {
		munmap(own, r->bytes);
		return cudaErrorMemoryAllocation;
	}
	return block_free(r->block, true);
}

/* --- the functions ------------------------------------------------------------------------------------------------ */

/* Memory is mapped and portable under any flags: the device's addresses and the host's are one space. */
API cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned flags) {
	static const unsigned refused = cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
	BEGIN_UNSAFE(true);
	uintptr_t end;
	if (!host || !bytes || __builtin_add_overflow((uintptr_t)host, bytes, &end)) return returned(cudaErrorInvalidValue);
	if (flags_are_wrong(flags, cudaHostRegisterPortable | cudaHostRegisterMapped | refused))
		return returned(cudaErrorInvalidValue);
	if (flags & refused) return returned(cudaErrorNotSupported);
	if (registered_at(host)) return returned(cudaErrorHostMemoryAlreadyRegistered);
	char *first = (char *)((uintptr_t)host & ~(uintptr_t)(page_bytes() - 1)); /* NOLINT(performance-no-int-to-ptr) */
	const size_t all = pages_up(end - (uintptr_t)first);
	if (msync(first, all, MS_ASYNC) < 0) return returned(cudaErrorNotSupported); /* not all of it is there */
	vec_push(&registered, ((Registered){.host = host, .first = first, .bytes = all}));
	return returned(cudaSuccess);
}

API cudaError_t cudaHostUnregister(void *host) {
	BEGIN_UNSAFE(true);
	Registered *r = registered_at(host);
	if (!r || r->host != host) return returned(cudaErrorHostMemoryNotRegistered);
	const cudaError_t error = r->block ? unmap_on_device(r) : cudaSuccess;
	if (error == cudaSuccess) *r = registered.data[--registered.len];
	return returned(error);
}

cudaError_t registered_on_device(void *host, void **out) {
	Registered *r = registered_at(host);
	const cudaError_t error = r ? map_on_device(r) : cudaErrorInvalidValue;
	if (error == cudaSuccess) *out = (char *)r->block + ((char *)host - r->first);
	return error;
}

API cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags) {
	BEGIN;
	const Block *b = block_at((uint64_t)(uintptr_t)host);
	if (!out || flags) return returned(cudaErrorInvalidValue);
	if (is_registered(host)) return returned(registered_on_device(host, out));
	if (b && b->kind == BLOCK_HOST)
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
	if (!flags || !b || b->kind != BLOCK_HOST) {
		if (flags) because("the memory is not of cudaHostAlloc");
		return returned(cudaErrorInvalidValue);
	}
	*flags = b->flags | cudaHostAllocMapped;
	return returned(cudaSuccess);
}
