/* The runtime's functions for where managed memory is to be. Here it is in one place, and advice changes nothing: it is
 * kept for the program that asks for it. */
#include <string.h>

#include "base/proc.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

enum { READ_MOSTLY, PREFERRED, ACCESSED_BY_DEVICE, ACCESSED_BY_HOST, PREFETCHED };

typedef struct {
	int type, id; /* as cudaMemLocation has them, which CUDA 12.0 does not know */
} Location;

typedef struct {
	uint64_t at, end;
	int kind;
	bool set;
	Location where;
} Advice;

static VEC(Advice) advices; /* a later one replaces earlier ones; managed addresses are used once */

/* --- keeping it --------------------------------------------------------------------------------------------------- */

static bool pages_of(const void *at, size_t bytes, uint64_t *first, uint64_t *end) {
	const uint64_t addr = (uint64_t)(uintptr_t)at;
	const Block *b = block_at(addr);
	because("it is not in one allocation of cudaMallocManaged");
	if (!b || b->kind != BLOCK_MANAGED || !bytes || bytes > b->bytes - (addr - b->addr)) return false;
	*first = addr / page_bytes() * page_bytes();
	*end = pages_up(addr + bytes);
	return true;
}

static void keep(Advice new) {
	size_t kept = 0;
	for (size_t i = 0; i < advices.len; i++) {
		const Advice *a = &advices.data[i];
		const bool covered = a->kind == new.kind && a->at >= new.at && a->end <= new.end;
		if (!covered) advices.data[kept++] = *a;
	}
	advices.len = kept;
	vec_push(&advices, new);
}

static cudaError_t advise(const void *at, size_t bytes, int advice, Location where) {
	Advice a = {.where = where};
	if (!pages_of(at, bytes, &a.at, &a.end)) return cudaErrorInvalidValue;
	switch (advice) {
	case cudaMemAdviseSetReadMostly:
	case cudaMemAdviseUnsetReadMostly:
		a.kind = READ_MOSTLY;
		a.set = advice == cudaMemAdviseSetReadMostly;
		break;
	case cudaMemAdviseSetPreferredLocation:
	case cudaMemAdviseUnsetPreferredLocation:
		a.kind = PREFERRED;
		a.set = advice == cudaMemAdviseSetPreferredLocation;
		break;
	case cudaMemAdviseSetAccessedBy:
	case cudaMemAdviseUnsetAccessedBy:
		a.kind = where.type == cudaMemLocationTypeDevice ? ACCESSED_BY_DEVICE : ACCESSED_BY_HOST;
		a.set = advice == cudaMemAdviseSetAccessedBy;
		break;
	default: return cudaErrorInvalidValue;
	}
	const bool somewhere = a.kind != READ_MOSTLY && advice != cudaMemAdviseUnsetPreferredLocation;
	if (somewhere && where.type <= 0) return cudaErrorInvalidValue;
	if (somewhere && where.type == cudaMemLocationTypeDevice && where.id) return cudaErrorInvalidDevice;
	keep(a);
	return cudaSuccess;
}

static cudaError_t prefetch(const void *at, size_t bytes, Location where, cudaStream_t stream) {
	Advice a = {.kind = PREFETCHED, .set = true, .where = where};
	const cudaError_t refused = capture_refuses(stream_key(stream), CAPTURE_REFUSED); /* no node does it */
	if (refused != cudaSuccess) return refused;
	if (!pages_of(at, bytes, &a.at, &a.end) || where.type <= 0) return cudaErrorInvalidValue;
	if (where.type == cudaMemLocationTypeDevice && where.id) return cudaErrorInvalidDevice;
	keep(a);
	return cudaSuccess;
}

/* CUDA 12 passes a device's number and CUDA 13 a location, under one name. Both are in one register, the location's
 * type in its lower half, where the only device is 0, the host -1, and a type above 0. */
typedef uint64_t Either;

static Location location_of(Either either) {
	const int low = (int)(uint32_t)either;
	if (low > 0) return (Location){low, (int)(either >> 32)};
	return (Location){low == 0                 ? cudaMemLocationTypeDevice
					  : low == cudaCpuDeviceId ? 2 /* the host, which CUDA 12.0 does not name */
											   : 0,
					  0};
}

#define EITHER(name, symbol, params, ...)                                                                              \
	API cudaError_t name params __asm__(symbol);                                                                       \
	cudaError_t name params {                                                                                          \
		BEGIN_QUEUED;                                                                                                  \
		return returned(__VA_ARGS__);                                                                                  \
	}
EITHER(advise_either, "cudaMemAdvise", (const void *at, size_t bytes, int advice, Either where),
	   advise(at, bytes, advice, location_of(where)))
EITHER(advise_location, "cudaMemAdvise_v2", (const void *at, size_t bytes, int advice, Location where),
	   advise(at, bytes, advice, where))
/* The fourth argument of CUDA 12 is the stream, of CUDA 13 flags. */
EITHER(prefetch_either, "cudaMemPrefetchAsync",
	   (const void *at, size_t bytes, Either where, cudaStream_t fourth, cudaStream_t fifth),
	   prefetch(at, bytes, location_of(where), (int)(uint32_t)where > 0 ? fifth : fourth))
EITHER(prefetch_either_own, "cudaMemPrefetchAsync_ptsz",
	   (const void *at, size_t bytes, Either where, cudaStream_t fourth, cudaStream_t fifth),
	   prefetch(at, bytes, location_of(where), (int)(uint32_t)where > 0 ? fifth : fourth))
EITHER(prefetch_location, "cudaMemPrefetchAsync_v2",
	   (const void *at, size_t bytes, Location where, unsigned flags, cudaStream_t stream),
	   prefetch(at, bytes, where, stream))
EITHER(prefetch_location_own, "cudaMemPrefetchAsync_v2_ptsz",
	   (const void *at, size_t bytes, Location where, unsigned flags, cudaStream_t stream),
	   prefetch(at, bytes, where, stream))

/* --- reporting it ------------------------------------------------------------------------------------------------- */

/* Looks at one address; *end becomes the end of the range that the answer holds for. */
static Advice advice_at(uint64_t at, int kind, uint64_t *end) {
	Advice found = {0};
	for (size_t i = 0; i < advices.len; i++) {
		const Advice *a = &advices.data[i];
		if (a->kind != kind) continue;
		if (a->at <= at && at < a->end) found = *a;
		if (a->at > at && a->at < *end) *end = a->at;
		if (a->end > at && a->end < *end) *end = a->end;
	}
	return found;
}

/* What holds for all of the range; type 0: nothing does. */
static Location everywhere(uint64_t at, uint64_t end, int kind) {
	Location all = {0, 0};
	for (uint64_t from = at, to; from < end; from = to) {
		to = end;
		const Advice a = advice_at(from, kind, &to);
		if (!a.set || (from > at && (a.where.type != all.type || a.where.id != all.id))) return (Location){0, 0};
		all = a.where;
	}
	return all;
}

static bool is_set_everywhere(uint64_t at, uint64_t end, int kind) {
	for (uint64_t to; at < end; at = to) {
		to = end;
		if (!advice_at(at, kind, &to).set) return false;
	}
	return true;
}

static int device_of(Location where) {
	return where.type == cudaMemLocationTypeDevice ? where.id : where.type == 2 ? cudaCpuDeviceId : cudaInvalidDeviceId;
}

static void list_accessing(uint64_t at, uint64_t end, int *out, size_t n) {
	size_t found = 0;
	for (size_t i = 0; i < n; i++) out[i] = cudaInvalidDeviceId;
	if (is_set_everywhere(at, end, ACCESSED_BY_DEVICE)) out[found++] = 0;
	if (found < n && is_set_everywhere(at, end, ACCESSED_BY_HOST)) out[found] = cudaCpuDeviceId;
}

static cudaError_t range_attribute(int *out, size_t bytes, int attribute, const void *address, size_t range) {
	uint64_t at, end;
	const bool list = attribute == cudaMemRangeAttributeAccessedBy;
	if (!out || !bytes || bytes % sizeof *out || (!list && bytes != sizeof *out)) return cudaErrorInvalidValue;
	if (!pages_of(address, range, &at, &end)) return cudaErrorInvalidValue;
	switch (attribute) {
	case cudaMemRangeAttributeReadMostly: *out = is_set_everywhere(at, end, READ_MOSTLY); break;
	case cudaMemRangeAttributePreferredLocation: *out = device_of(everywhere(at, end, PREFERRED)); break;
	case cudaMemRangeAttributeAccessedBy: list_accessing(at, end, out, bytes / sizeof *out); break;
	case cudaMemRangeAttributeLastPrefetchLocation: *out = device_of(everywhere(at, end, PREFETCHED)); break;
	case 5: *out = everywhere(at, end, PREFERRED).type; break; /* from here on since CUDA 12.2 */
	case 6: *out = everywhere(at, end, PREFERRED).id; break;
	case 7: *out = everywhere(at, end, PREFETCHED).type; break;
	case 8: *out = everywhere(at, end, PREFETCHED).id; break;
	default: return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

CALL_QUEUED(cudaMemRangeGetAttribute,
			(void *out, size_t bytes, enum cudaMemRangeAttribute attribute, const void *at, size_t range),
			range_attribute(out, bytes, (int)attribute, at, range))

API cudaError_t cudaMemRangeGetAttributes(void **outs, size_t *bytes, enum cudaMemRangeAttribute *attributes, size_t n,
										  const void *at, size_t range) {
	cudaError_t error = n ? cudaSuccess : cudaErrorInvalidValue;
	BEGIN_QUEUED;
	for (size_t i = 0; i < n && error == cudaSuccess; i++)
		error = range_attribute(outs[i], bytes[i], (int)attributes[i], at, range);
	return returned(error);
}
