/* runtime.h: memory pools. Memory of a pool is an allocation as any other, and freed at once; the pool counts what a
 * GPU's would keep for later. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

struct Pool {
	uint64_t used, used_high, reserved, reserved_high, threshold, most;
	int reuse[3]; /* by cudaMemPoolReuseFollowEventDependencies and the next two */
	bool destroyed;
};

static Pool first = {.reuse = {1, 1, 1}}; /* the device's */
static Pool of_graphs;                    /* keeps all until it is trimmed */
static Pool *current = &first;
static VEC(Pool *) others;

static Pool *pool_of(cudaMemPool_t pool) {
	return (Pool *)pool;
}

/* --- what is counted ---------------------------------------------------------------------------------------------- */

static void reserve(Pool *p, uint64_t bytes) {
	p->reserved = bytes;
	if (p->reserved > p->reserved_high) p->reserved_high = p->reserved;
}

static void drop(Pool *p) {
	for (size_t i = 0; i < others.len; i++)
		if (others.data[i] == p) others.data[i--] = others.data[--others.len];
	free(p);
}

void pool_freed(Pool *p, uint64_t bytes) {
	p->used -= bytes;
	if (p->destroyed && !p->used) drop(p);
}

static void trim(Pool *p, uint64_t keep) {
	if (p->reserved > keep) reserve(p, keep > p->used ? keep : p->used);
}

void pools_synchronized(void) {
	trim(&first, first.threshold);
	for (size_t i = 0; i < others.len; i++) trim(others.data[i], others.data[i]->threshold);
}

uint64_t pools_idle(void) {
	uint64_t idle = first.reserved - first.used + of_graphs.reserved - of_graphs.used;
	for (size_t i = 0; i < others.len; i++) idle += others.data[i]->reserved - others.data[i]->used;
	return idle;
}

bool pool_has_room(const Pool *p, uint64_t bytes) {
	return !p->most || bytes <= p->most - p->used;
}

void pool_took(Pool *p, uint64_t bytes) {
	p->used += bytes;
	if (p->used > p->used_high) p->used_high = p->used;
	if (p->used > p->reserved) reserve(p, p->used);
}

void block_of_graphs(Block *b) {
	b->pool = &of_graphs;
	pool_took(b->pool, b->bytes);
}

bool is_of_graphs(const Block *b) {
	return b->pool == &of_graphs;
}

Pool *pool_current(void) {
	return current;
}

/* --- pools -------------------------------------------------------------------------------------------------------- */

static cudaError_t give(cudaMemPool_t *out, Pool *p, int device) {
	if (!out) return nowhere();
	if (device == 0) *out = (cudaMemPool_t)p;
	return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

CALL_QUEUED(cudaDeviceGetDefaultMemPool, (cudaMemPool_t * out, int device), give(out, &first, device))
CALL_QUEUED(cudaDeviceGetMemPool, (cudaMemPool_t * out, int device), give(out, current, device))

API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
	BEGIN_UNSAFE(false);
	if (device != 0) return returned(cudaErrorInvalidDevice);
	if (!pool) return returned(cudaErrorInvalidValue);
	current = pool_of(pool);
	return returned(cudaSuccess);
}

API cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props) {
	BEGIN_UNSAFE(false);
	if (!out || !props || props->allocType != cudaMemAllocationTypePinned) return returned(cudaErrorInvalidValue);
	if (props->location.type != cudaMemLocationTypeDevice)
		missing("cudaMemPoolCreate of memory that is not a device's");
	if (props->location.id != 0) return returned(cudaErrorInvalidDevice);
	Pool *p = xcalloc(1, sizeof *p);
	*p = (Pool){.reuse = {1, 1, 1}};
#if CUDART_VERSION >= 12030
	p->most = props->maxSize;
#endif
	vec_push(&others, p);
	*out = (cudaMemPool_t)p;
	return returned(cudaSuccess);
}

/* What was allocated from it stays until it is freed. */
API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
	Pool *p = pool_of(pool);
	BEGIN_QUEUED;
	if (!p || p == &first || p->destroyed) return returned(cudaErrorInvalidValue);
	if (current == p) current = &first;
	p->destroyed = true;
	if (!p->used) drop(p);
	return returned(cudaSuccess);
}

API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) {
	BEGIN_UNSAFE(false);
	if (!pool) return returned(cudaErrorInvalidValue);
	trim(pool_of(pool), keep);
	return returned(cudaSuccess);
}

/* --- attributes: int for the reuse of memory, else 64 bits -------------------------------------------------------- */

static cudaError_t get(const Pool *p, int attribute, void *out) {
	uint64_t *n = out;
	switch (attribute) {
	case cudaMemPoolReuseFollowEventDependencies:
	case cudaMemPoolReuseAllowOpportunistic:
	case cudaMemPoolReuseAllowInternalDependencies: *(int *)out = p->reuse[attribute - 1]; break;
	case cudaMemPoolAttrReleaseThreshold: *n = p->threshold; break;
	case cudaMemPoolAttrReservedMemCurrent: *n = p->reserved; break;
	case cudaMemPoolAttrReservedMemHigh: *n = p->reserved_high; break;
	case cudaMemPoolAttrUsedMemCurrent: *n = p->used; break;
	case cudaMemPoolAttrUsedMemHigh: *n = p->used_high; break;
	default: return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

/* The highest values can only be begun again. */
static cudaError_t set(Pool *p, int attribute, const void *value) {
	switch (attribute) {
	case cudaMemPoolReuseFollowEventDependencies:
	case cudaMemPoolReuseAllowOpportunistic:
	case cudaMemPoolReuseAllowInternalDependencies: p->reuse[attribute - 1] = *(const int *)value != 0; break;
	case cudaMemPoolAttrReleaseThreshold: p->threshold = *(const uint64_t *)value; break;
	case cudaMemPoolAttrReservedMemHigh:
		if (*(const uint64_t *)value) return cudaErrorInvalidValue;
		p->reserved_high = p->reserved;
		break;
	case cudaMemPoolAttrUsedMemHigh:
		if (*(const uint64_t *)value) return cudaErrorInvalidValue;
		p->used_high = p->used;
		break;
	default: return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

CALL_UNSAFE(cudaMemPoolGetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *out),
			pool &&out ? get(pool_of(pool), (int)attribute, out) : cudaErrorInvalidValue)
CALL_UNSAFE(cudaMemPoolSetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value),
			pool &&value ? set(pool_of(pool), (int)attribute, value) : cudaErrorInvalidValue)

/* The only device has access, and keeps it. */
API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *out, cudaMemPool_t pool,
									 struct cudaMemLocation *location) {
	BEGIN_QUEUED;
	if (!pool || !out || location->type != cudaMemLocationTypeDevice) return returned(cudaErrorInvalidValue);
	if (location->id != 0) return returned(cudaErrorInvalidDevice);
	*out = cudaMemAccessFlagsProtReadWrite;
	return returned(cudaSuccess);
}

API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t n) {
	cudaError_t error = pool ? cudaSuccess : cudaErrorInvalidValue;
	BEGIN_QUEUED;
	for (size_t i = 0; i < n && error == cudaSuccess; i++) {
		if (access[i].location.type != cudaMemLocationTypeDevice || access[i].location.id != 0)
			error = cudaErrorInvalidDevice;
		else if (access[i].flags != cudaMemAccessFlagsProtReadWrite)
			error = cudaErrorInvalidValue;
	}
	return returned(error);
}

/* --- the memory of graphs ----------------------------------------------------------------------------------------- */

static int attribute_of_graphs(int attribute) {
	static const enum cudaMemPoolAttr attributes[] = {cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh,
													  cudaMemPoolAttrReservedMemCurrent,
													  cudaMemPoolAttrReservedMemHigh};
	return attribute >= 0 && attribute < 4 ? (int)attributes[attribute] : 0;
}

static cudaError_t wrong_for_graphs(int device, const void *value) {
	return device ? cudaErrorInvalidDevice : value ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t get_of_graphs(int device, int attribute, void *out) {
	const cudaError_t wrong = wrong_for_graphs(device, out);
	return wrong != cudaSuccess ? wrong : get(&of_graphs, attribute_of_graphs(attribute), out);
}

static cudaError_t set_of_graphs(int device, int attribute, const void *value) {
	const cudaError_t wrong = wrong_for_graphs(device, value);
	return wrong != cudaSuccess ? wrong : set(&of_graphs, attribute_of_graphs(attribute), value);
}

static cudaError_t trim_graphs(int device) {
	if (device) return cudaErrorInvalidDevice;
	trim(&of_graphs, 0);
	return cudaSuccess;
}

CALL_QUEUED(cudaDeviceGetGraphMemAttribute, (int device, enum cudaGraphMemAttributeType attribute, void *out),
			get_of_graphs(device, (int)attribute, out))
CALL_QUEUED(cudaDeviceSetGraphMemAttribute, (int device, enum cudaGraphMemAttributeType attribute, void *value),
			set_of_graphs(device, (int)attribute, value))
CALL_QUEUED(cudaDeviceGraphMemTrim, (int device), trim_graphs(device))
