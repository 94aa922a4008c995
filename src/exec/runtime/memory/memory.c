/* The runtime's functions for memory: allocations, copies, fills. See runtime.h. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "exec/runtime/runtime.h"

enum { PITCH = 512 };
#define WIDTH_END (UINT64_C(1) << 40) /* of pitched memory: a GPU calls larger ones invalid */

/* --- allocations -------------------------------------------------------------------------------------------------- */

static cudaError_t block_unless_captured(size_t bytes, BlockKind kind, void **out) {
	const cudaError_t refused = bytes ? capture_unsafe() : cudaSuccess;
	return refused == cudaSuccess ? block_new(bytes, kind, out) : refused;
}

static cudaError_t allocate(void **out, size_t bytes, BlockKind kind) {
	BEGIN_FOR(out, false);
	return returned(block_unless_captured(bytes, kind, out));
}

FORWARD(cudaMalloc, (void **out, size_t bytes), allocate(out, bytes, BLOCK_DEVICE))
FORWARD(cudaMallocHost, (void **out, size_t bytes), allocate(out, bytes, BLOCK_HOST))

API cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags) {
	BEGIN_FOR(out, false);
	const bool right = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;
	if (!right) because("the flags are 0x%x: pass cudaMemAttachGlobal or cudaMemAttachHost", flags);
	const cudaError_t error = right ? block_unless_captured(bytes, BLOCK_MANAGED, out) : cudaErrorInvalidValue;
	if (error == cudaSuccess && *out && flags == cudaMemAttachHost)
		block_at((uint64_t)(uintptr_t)*out)->attached = NO_STREAM;
	return returned(error);
}

API cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags) {
	BEGIN_FOR(out, false);
	if (flags_are_wrong(flags, cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
		return returned(cudaErrorInvalidValue);
	const cudaError_t error = block_unless_captured(bytes, BLOCK_HOST, out);
	if (error == cudaSuccess && *out) block_at((uint64_t)(uintptr_t)*out)->flags = flags;
	return returned(error);
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

/* What is of a pool begins and ends in a stream: for the checker of streams it is written there. */
static void touch(void *at, const char *what) {
	const Block *b = block_at((uint64_t)(uintptr_t)at);
	if (b && b->pool) order_touch(&(Touched){b->addr, b->bytes, TOUCHED_WRITTEN}, 1, what);
}

static cudaError_t allocated_queued(void *data) {
	touch(*(void **)data, "cudaMallocAsync");
	return cudaSuccess;
}

static cudaError_t freed_by_host(void *data) {
	touch(*(void **)data, "cudaFree");
	return block_free(*(void **)data, false);
}

static cudaError_t free_queued(void *data) {
	touch(*(void **)data, "cudaFreeAsync");
	return block_free(*(void **)data, false);
}

static cudaError_t add_for(StreamKey stream, Work work, void *at, uint64_t *number) {
	void **data = xmalloc(sizeof *data);
	*data = at;
	return queue_add(stream, 0, work, data, number);
}

static cudaError_t allocate_for(cudaStream_t stream, Pool *pool, void **out, size_t bytes) {
	const StreamKey key = stream_key(stream);
	cudaError_t error = capture_refuses(key, CAPTURE_UNSAFE_NODE);
	if (error == cudaSuccess && key.graph && bytes) return graph_memory(key.graph, out, bytes);
	if (error == cudaSuccess) error = allocate_from(pool, out, bytes);
	if (error != cudaSuccess || !*out) return error;
	order_stream(key);
	return order_matters() ? add_for(key, allocated_queued, *out, NULL) : cudaSuccess;
}

CALL_QUEUED(cudaMallocAsync, (void **out, size_t bytes, cudaStream_t stream),
			allocate_for(stream, pool_current(), out, bytes))
CALL_QUEUED(cudaMallocFromPoolAsync, (void **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
			allocate_for(stream, (Pool *)pool, out, bytes))

/* Whether a graph allocates the memory, also one that has not been launched yet. */
static bool is_graph_memory(void *at) {
	const Block *b = block_at((uint64_t)(uintptr_t)at);
	return b ? is_of_graphs(b) : graph_owns(at);
}

static cudaError_t free_for(cudaStream_t stream, void *at) {
	const StreamKey key = stream_key(stream);
	const cudaError_t refused = capture_refuses(key, CAPTURE_UNSAFE_NODE);
	if (refused != cudaSuccess || (key.graph && !at)) return refused;
	if (!key.graph || is_graph_memory(at)) return add_for(key, free_queued, at, NULL);
	because("a captured stream frees only memory that cudaMallocAsync allocated in one");
	return cudaErrorInvalidValue;
}

CALL_QUEUED(cudaFreeAsync, (void *at, cudaStream_t stream), free_for(stream, at))

static cudaError_t free_now(void *at) {
	uint64_t number;
	const cudaError_t error = add_for((StreamKey){.id = HOST_STREAM}, freed_by_host, at, &number);
	queue_run(number);
	return error;
}

/* Waits for the device, unless the memory is of a pool. */
API cudaError_t cudaFree(void *at) {
	lock();
	const Block *b = block_at((uint64_t)(uintptr_t)at);
	const bool pooled = b && b->pool && !is_of_graphs(b);
	unlock();
	BEGIN_UNSAFE(!pooled);
	return returned(pooled ? free_now(at) : block_free(at, false));
}

API cudaError_t cudaFreeHost(void *at) {
	BEGIN_UNSAFE(true);
	return returned(block_free(at, true));
}

static cudaError_t allocate_pitched(struct cudaPitchedPtr *out, struct cudaExtent e) {
	const size_t pitch = (e.width + PITCH - 1) / PITCH * PITCH;
	size_t rows, bytes;
	*out = (struct cudaPitchedPtr){.xsize = e.width, .ysize = e.height};
	if (!e.width || !e.height || !e.depth) return cudaSuccess;
	if (e.width >= WIDTH_END) return cudaErrorInvalidValue;
	if (__builtin_mul_overflow(e.height, e.depth, &rows) || __builtin_mul_overflow(pitch, rows, &bytes))
		return cudaErrorMemoryAllocation;
	out->pitch = pitch;
	const cudaError_t error = block_unless_captured(bytes, BLOCK_DEVICE, &out->ptr);
	Block *b = block_at((uint64_t)(uintptr_t)out->ptr);
	if (b) b->width = e.width, b->pitch = pitch;
	return error;
}

API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent) {
	BEGIN_QUEUED;
	return returned(out ? allocate_pitched(out, extent) : cudaErrorInvalidValue);
}

API cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height) {
	struct cudaPitchedPtr p;
	BEGIN_QUEUED;
	if (!out || !pitch) return returned(cudaErrorInvalidValue);
	const cudaError_t error = allocate_pitched(&p, (struct cudaExtent){width, height, 1});
	if (error == cudaSuccess) *out = p.ptr, *pitch = p.pitch;
	return returned(error);
}

API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
	BEGIN;
	const size_t all = device_memory();
	const uint64_t taken = blocks_used() + pools_idle();
	const size_t room = all < facts()->pool_bytes ? all : facts()->pool_bytes;
	if (!free_bytes || !total) return returned(nowhere());
	*total = all;
	*free_bytes = taken < room ? room - taken : 0;
	return returned(cudaSuccess);
}

API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *at) {
	static const enum cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged, cudaMemoryTypeHost,
												cudaMemoryTypeDevice};
	BEGIN_FOR(out, true);
	const Block *b = block_at((uint64_t)(uintptr_t)at);
	memset(out, 0, sizeof *out);
	out->type = b ? types[b->kind] : cudaMemoryTypeUnregistered;
	if (b) out->devicePointer = (void *)(uintptr_t)at;
	if (b && (b->kind == BLOCK_MANAGED || b->kind == BLOCK_HOST)) out->hostPointer = (void *)(uintptr_t)at;
	if (!b) out->device = -2, out->hostPointer = (void *)(uintptr_t)at;
	if (is_registered(at)) {
		out->type = cudaMemoryTypeHost;
		out->device = 0;
		registered_on_device((void *)(uintptr_t)at, &out->devicePointer); /* NULL where it cannot be */
	}
	return returned(cudaSuccess);
}

API cudaError_t __cudaGpulabRange(uint64_t *base, size_t *bytes, uint64_t address); /* the driver's */
cudaError_t __cudaGpulabRange(uint64_t *base, size_t *bytes, uint64_t address) {
	called();
	lock();
	const Block *b = block_at(address);
	if (b && base) *base = b->addr;
	if (b && bytes) *bytes = b->bytes;
	unlock();
	return b ? cudaSuccess : cudaErrorSymbolNotFound;
}

/* --- for a stream ------------------------------------------------------------------------------------------------- */

typedef struct {
	Box to, from;
	size_t width, height;
	enum cudaMemcpyKind kind;
} Rows; /* the bytes themselves follow, if the program may change them before they are copied */

static Rows rows_of(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
					enum cudaMemcpyKind kind) {
	return (Rows){{to, to_pitch, 0}, {(void *)from, from_pitch, 0}, width, height, kind};
}

static Rows bytes_of(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
	return rows_of(to, 0, from, 0, bytes, 1, kind);
}

static struct cudaExtent extent_of(const Rows *r) {
	return (struct cudaExtent){r->width, r->height, 1};
}

static cudaError_t copy_queued(void *data) {
	const Rows *r = data;
	return copy_box(r->to, r->from, extent_of(r), r->kind);
}

/* Memory of the program that is not pinned: it is read before the call returns, and written then. */
static bool is_pageable(const void *at) {
	return !block_at((uint64_t)(uintptr_t)at) && !is_registered(at);
}

/* The copy takes the bytes as they are now. */
static Rows *with_bytes(const Rows *rows) {
	Rows *r = xmalloc(sizeof *r + rows->width * rows->height);
	char *bytes = (char *)(r + 1);
	*r = *rows;
	for (size_t y = 0; y < rows->height; y++)
		memcpy(bytes + y * rows->width, (const char *)rows->from.at + y * rows->from.pitch, rows->width);
	r->from = (Box){bytes, rows->width, 0};
	return r;
}

/* What host code is not to use until it has waited. */
static void watch_copy(const Rows *rows) {
	if (!early_matters()) return;
	AUTO_FREE Touched *pieces = xcalloc(2 * rows->height + 1, sizeof *pieces);
	size_t n = 0;
	for (int to = 0; to < 2; to++) {
		const Box *box = to ? &rows->to : &rows->from;
		for (size_t y = 0; y < rows->height; y++)
			pieces[n++] = (Touched){(uint64_t)(uintptr_t)box->at + y * box->pitch, rows->width,
									to ? TOUCHED_WRITTEN : TOUCHED_READ};
	}
	early_use("an asynchronous copy", pieces, rows->width ? n : 0);
}

static cudaError_t copy_for(cudaStream_t stream, Rows rows) {
	uint64_t number = 0;
	BEGIN_QUEUED;
	const bool there = !graph_owns(rows.to.at) && !graph_owns(rows.from.at);
	const cudaError_t wrong = there ? copy_check(rows.to, rows.from, extent_of(&rows), rows.kind) : cudaSuccess;
	if (wrong != cudaSuccess) return returned(wrong);
	const bool later = facts()->streams && !stream_key(stream).graph && rows.width && rows.height;
	const bool to_pageable = is_pageable(rows.to.at);
	Rows *r = later && is_pageable(rows.from.at) ? with_bytes(&rows) : memcpy(xmalloc(sizeof *r), &rows, sizeof rows);
	cudaError_t error = queue_add(stream_key(stream), 0, copy_queued, r, to_pageable ? &number : NULL);
	if (to_pageable)
		queue_wait(number);
	else if (error == cudaSuccess && !stream_key(stream).graph)
		watch_copy(&rows);
	return returned(error);
}

static cudaError_t copy_rows(cudaStream_t stream, bool waits, Rows rows) {
	if (!waits) return copy_for(stream, rows);
	BEGIN_QUEUED;
	return returned(queue_do(stream_key(stream), true, copy_queued, &rows, sizeof rows));
}

typedef struct {
	Box box;
	struct cudaExtent extent;
	int value;
} Filling;

static Filling filling_of(void *at, size_t pitch, int value, size_t width, size_t height) {
	return (Filling){{at, pitch, 0}, {width, height, 1}, value};
}

static cudaError_t fill_queued(void *data) {
	const Filling *f = data;
	return fill_box(f->box, &(uint8_t){(uint8_t)f->value}, 1, f->extent);
}

/* Only the low byte of the value counts. One of four equal bytes is meant so. */
static void look_at_value(const Filling *f) {
	const uint8_t byte = (uint8_t)f->value;
	if ((f->value >= INT8_MIN && f->value <= UINT8_MAX) || (uint32_t)f->value == byte * UINT32_C(0x01010101)) return;
	if (f->extent.width && f->extent.height && f->extent.depth)
		mistake("each byte is set to %u, the low byte of %d: elements get a value by a kernel, or by a copy", byte,
				f->value);
	else
		mistake("0 bytes are set to %d: the value comes before the number of bytes, cudaMemset(pointer, value, bytes)",
				f->value);
}

static cudaError_t fill(cudaStream_t stream, bool waits, Filling filling) {
	BEGIN_QUEUED;
	look_at_value(&filling);
	if (waits) return returned(queue_do(stream_key(stream), true, fill_queued, &filling, sizeof filling));
	const cudaError_t wrong = graph_owns(filling.box.at) ? cudaSuccess : fill_check(filling.box, filling.extent);
	if (wrong != cudaSuccess) return returned(wrong);
	Filling *f = xmalloc(sizeof *f);
	*f = filling;
	return returned(queue_add(stream_key(stream), 0, fill_queued, f, NULL));
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

IN_STREAMS(cudaMemcpy, ARGS(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
		   copy_rows(stream, waits, bytes_of(to, from, bytes, kind)))
IN_STREAMS(cudaMemcpy2D,
		   ARGS(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
				enum cudaMemcpyKind kind),
		   copy_rows(stream, waits, rows_of(to, to_pitch, from, from_pitch, width, height, kind)))

FORWARD(cudaMemcpyPeer, (void *to, int to_device, const void *from, int from_device, size_t bytes),
		to_device || from_device ? cudaErrorInvalidDevice : cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice))
FORWARD(cudaMemcpyPeerAsync,
		(void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream),
		to_device || from_device ? cudaErrorInvalidDevice
								 : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream))

/* cudaMemcpyToSymbol and others: where the variable's bytes are, if the copy is in a direction that it can have. *out
 * stays NULL where nothing is to be copied. */
static cudaError_t symbol_bytes(const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
								enum cudaMemcpyKind against, void **out) {
	cudaError_t error = cudaSuccess;
	BEGIN_QUEUED;
	if (!variable_of(symbol, &error) || !bytes) return returned(error);
	if (kind == against || kind == cudaMemcpyHostToHost) return returned(cudaErrorInvalidMemcpyDirection);
	return returned(at_symbol(symbol, bytes, offset, out));
}

static cudaError_t copy_symbol(cudaStream_t stream, bool waits, const void *symbol, const void *memory, size_t bytes,
							   size_t offset, enum cudaMemcpyKind kind, bool to) {
	void *at = NULL, *there = (void *)memory;
	const enum cudaMemcpyKind against = to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
	const cudaError_t error = symbol_bytes(symbol, bytes, offset, kind, against, &at);
	return at ? copy_rows(stream, waits, bytes_of(to ? at : there, to ? there : at, bytes, kind)) : error;
}

IN_STREAMS(cudaMemcpyToSymbol,
		   ARGS(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
		   copy_symbol(stream, waits, symbol, from, bytes, offset, kind, true))
IN_STREAMS(cudaMemcpyFromSymbol,
		   ARGS(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
		   copy_symbol(stream, waits, symbol, to, bytes, offset, kind, false))

/* --- fills -------------------------------------------------------------------------------------------------------- */

IN_STREAMS(cudaMemset, ARGS(void *at, int value, size_t bytes), fill(stream, waits, filling_of(at, 0, value, bytes, 1)))
IN_STREAMS(cudaMemset2D, ARGS(void *at, size_t pitch, int value, size_t width, size_t height),
		   fill(stream, waits, filling_of(at, pitch, value, width, height)))

static cudaError_t fill_3d(cudaStream_t stream, bool waits, struct cudaPitchedPtr at, int value, struct cudaExtent e) {
	Filling f = {{at.ptr, at.pitch, 0}, e, value};
	const bool rows_overlap = (e.height > 1 || e.depth > 1) && e.width > at.pitch;
	if (!e.width || !e.height || !e.depth) return fill(stream, waits, (Filling){.box = f.box, .value = value});
	if (e.height <= at.ysize && !rows_overlap &&
		(e.depth == 1 || !__builtin_mul_overflow(at.pitch, at.ysize, &f.box.slice)))
		return fill(stream, waits, f);
	BEGIN_QUEUED;
	return returned(cudaErrorInvalidValue);
}

IN_STREAMS(cudaMemset3D, ARGS(struct cudaPitchedPtr at, int value, struct cudaExtent e),
		   fill_3d(stream, waits, at, value, e))
