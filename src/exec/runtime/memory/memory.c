/* The runtime's functions for memory: allocations, copies, fills. See runtime.h. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "exec/runtime/runtime.h"

enum { PITCH = 512 };

/* --- allocations -------------------------------------------------------------------------------------------------- */

static cudaError_t allocate(void **out, size_t bytes, BlockKind kind) {
	BEGIN_QUEUED;
	return returned(out ? block_new(bytes, kind, out) : cudaErrorInvalidValue);
}

FORWARD(cudaMalloc, (void **out, size_t bytes), allocate(out, bytes, BLOCK_DEVICE))
FORWARD(cudaMallocManaged, (void **out, size_t bytes, unsigned flags), allocate(out, bytes, BLOCK_MANAGED))
FORWARD(cudaMallocHost, (void **out, size_t bytes), allocate(out, bytes, BLOCK_HOST))

API cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags) {
	const cudaError_t error = allocate(out, bytes, BLOCK_HOST);
	if (error == cudaSuccess && *out) block_at((uint64_t)(uintptr_t)*out)->flags = flags;
	return error;
}

static cudaError_t allocate_from(Pool *pool, void **out, size_t bytes) {
	if (!out || !pool) return cudaErrorInvalidValue;
	if (!pool_has_room(pool, bytes)) return cudaErrorMemoryAllocation;
	const cudaError_t error = block_new(bytes, BLOCK_DEVICE, out);
	if (error != cudaSuccess || !*out) return error;
	block_at((uint64_t)(uintptr_t)*out)->pool = pool;
	pool_took(pool, bytes);
	return cudaSuccess;
}

CALL_QUEUED(cudaMallocAsync, (void **out, size_t bytes, cudaStream_t stream), allocate_from(pool_current(), out, bytes))
ALSO(cudaMallocAsync_ptsz, cudaMallocAsync)
CALL_QUEUED(cudaMallocFromPoolAsync, (void **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
			allocate_from((Pool *)pool, out, bytes))
ALSO(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync)

CALL(cudaFree, (void *at), block_free(at, false))
CALL(cudaFreeHost, (void *at), block_free(at, true))

API cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height) {
	*pitch = (width + PITCH - 1) / PITCH * PITCH;
	return allocate(out, *pitch * height, BLOCK_DEVICE);
}

API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent) {
	*out = (struct cudaPitchedPtr){.xsize = extent.width, .ysize = extent.height};
	return cudaMallocPitch(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth);
}

API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
	BEGIN;
	*total = facts()->pool_bytes;
	const uint64_t taken = blocks_used() + pools_idle();
	*free_bytes = taken < *total ? *total - taken : 0;
	return returned(cudaSuccess);
}

API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *at) {
	static const enum cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged, cudaMemoryTypeHost,
												cudaMemoryTypeDevice};
	BEGIN;
	const Block *b = block_at((uint64_t)(uintptr_t)at);
	memset(out, 0, sizeof *out);
	out->type = b ? types[b->kind] : cudaMemoryTypeUnregistered;
	if (b) out->devicePointer = (void *)(uintptr_t)at;
	if (b && (b->kind == BLOCK_MANAGED || b->kind == BLOCK_HOST)) out->hostPointer = (void *)(uintptr_t)at;
	if (!b) out->device = -2, out->hostPointer = (void *)(uintptr_t)at;
	return returned(cudaSuccess);
}

/* --- for a stream ------------------------------------------------------------------------------------------------- */

typedef struct {
	void *to;
	const void *from;
	size_t to_pitch, from_pitch, width, height;
	enum cudaMemcpyKind kind;
} Rows; /* the bytes themselves follow, if the program may change them before they are copied */

static cudaError_t copy_queued(void *data) {
	const Rows *r = data;
	return copy_rows(r->to, r->to_pitch, r->from, r->from_pitch, r->width, r->height, r->kind);
}

/* Memory of the program that is not pinned: it is read before the call returns, and written then. */
static bool is_pageable(const void *at) {
	return !block_at((uint64_t)(uintptr_t)at) && !is_registered(at);
}

static cudaError_t copy_for(cudaStream_t stream, Rows rows) {
	uint64_t number = 0;
	BEGIN_QUEUED;
	const bool later = facts()->streams && !stream_key(stream).graph && rows.width && rows.height;
	const bool from_pageable = later && is_pageable(rows.from), to_pageable = is_pageable(rows.to);
	Rows *r = xmalloc(sizeof *r + (from_pageable ? rows.width * rows.height : 0));
	*r = rows;
	if (from_pageable) {
		char *bytes = (char *)(r + 1);
		for (size_t y = 0; y < rows.height; y++)
			memcpy(bytes + y * rows.width, (const char *)rows.from + y * rows.from_pitch, rows.width);
		r->from = bytes;
		r->from_pitch = rows.width;
	}
	cudaError_t error = queue_add(stream_key(stream), 0, copy_queued, r, to_pageable ? &number : NULL);
	if (to_pageable) queue_wait(number);
	return returned(error);
}

/* The program waits: of other streams for those that this one waits for. */
static cudaError_t done_now(cudaStream_t stream, Work work, void *data) {
	uint64_t number;
	StreamKey key = stream_key(stream);
	key.graph = NULL;
	if (queue_runs_here()) { /* it is a part of that operation */
		const cudaError_t error = work(data);
		free(data);
		return error;
	}
	const cudaError_t error = queue_add(key, 0, work, data, &number);
	queue_wait(number);
	return error == cudaSuccess ? queue_late() : error;
}

static cudaError_t copy_now(cudaStream_t stream, Rows rows) {
	BEGIN_QUEUED;
	Rows *r = xmalloc(sizeof *r);
	*r = rows;
	return returned(done_now(stream, copy_queued, r));
}

typedef struct {
	void *at;
	size_t pitch, width, height;
	int value;
} Filling;

static cudaError_t fill_queued(void *data) {
	const Filling *f = data;
	return set_rows(f->at, f->pitch, f->value, f->width, f->height);
}

static cudaError_t fill_for(cudaStream_t stream, Filling filling) {
	BEGIN_QUEUED;
	Filling *f = xmalloc(sizeof *f);
	*f = filling;
	return returned(queue_add(stream_key(stream), 0, fill_queued, f, NULL));
}

static cudaError_t fill_now(cudaStream_t stream, Filling filling) {
	BEGIN_QUEUED;
	Filling *f = xmalloc(sizeof *f);
	*f = filling;
	return returned(done_now(stream, fill_queued, f));
}

static cudaError_t free_queued(void *data) {
	return block_free(*(void **)data, false);
}

API cudaError_t cudaFreeAsync(void *at, cudaStream_t stream) {
	BEGIN_QUEUED;
	void **data = xmalloc(sizeof *data);
	*data = at;
	return returned(queue_add(stream_key(stream), 0, free_queued, data, NULL));
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

FORWARD(cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
		copy_now(NULL, (Rows){to, from, bytes, bytes, bytes, 1, kind}))
FORWARD(cudaMemcpy_ptds, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
		copy_now(cudaStreamPerThread, (Rows){to, from, bytes, bytes, bytes, 1, kind}))
FORWARD(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
		copy_for(stream, (Rows){to, from, bytes, bytes, bytes, 1, kind}))
FORWARD(cudaMemcpyPeer, (void *to, int to_device, const void *from, int from_device, size_t bytes),
		cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice))
ALSO(cudaMemcpyPeerAsync, cudaMemcpyPeer)

FORWARD(cudaMemcpy2D,
		(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
		 enum cudaMemcpyKind kind),
		copy_now(NULL, (Rows){to, from, to_pitch, from_pitch, width, height, kind}))
FORWARD(cudaMemcpy2D_ptds,
		(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
		 enum cudaMemcpyKind kind),
		copy_now(cudaStreamPerThread, (Rows){to, from, to_pitch, from_pitch, width, height, kind}))
FORWARD(cudaMemcpy2DAsync,
		(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
		 enum cudaMemcpyKind kind, cudaStream_t stream),
		copy_for(stream, (Rows){to, from, to_pitch, from_pitch, width, height, kind}))

/* --- fills -------------------------------------------------------------------------------------------------------- */

FORWARD(cudaMemset, (void *at, int value, size_t bytes), fill_now(NULL, (Filling){at, bytes, bytes, 1, value}))
FORWARD(cudaMemset_ptds, (void *at, int value, size_t bytes),
		fill_now(cudaStreamPerThread, (Filling){at, bytes, bytes, 1, value}))
FORWARD(cudaMemsetAsync, (void *at, int value, size_t bytes, cudaStream_t stream),
		fill_for(stream, (Filling){at, bytes, bytes, 1, value}))
FORWARD(cudaMemset2D, (void *at, size_t pitch, int value, size_t width, size_t height),
		fill_now(NULL, (Filling){at, pitch, width, height, value}))
FORWARD(cudaMemset2D_ptds, (void *at, size_t pitch, int value, size_t width, size_t height),
		fill_now(cudaStreamPerThread, (Filling){at, pitch, width, height, value}))
FORWARD(cudaMemset2DAsync, (void *at, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
		fill_for(stream, (Filling){at, pitch, width, height, value}))

API cudaError_t cudaMemset3D(struct cudaPitchedPtr at, int value, struct cudaExtent extent) {
	cudaError_t error = cudaSuccess;
	BEGIN;
	for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
		error = set_rows((char *)at.ptr + z * at.pitch * at.ysize, at.pitch, value, extent.width, extent.height);
	return returned(error);
}
ALSO(cudaMemset3DAsync, cudaMemset3D)
ALSO(cudaMemset3DAsync_ptsz, cudaMemset3D)
ALSO(cudaMemset3D_ptds, cudaMemset3D)
