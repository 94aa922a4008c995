/* Asynchronous copies (cp.async, cp.async.bulk) and barriers in shared memory (mbarrier). A copy is done when it is
 * issued, which PTX allows: it may complete at any time before it is waited for. The race checker finds
 * what is read before.
 *
 * An mbarrier is 64 bits whose layout PTX leaves open; here
 *     | phase 1 | pending arrivals 20 | expected arrivals 20 | outstanding bytes, signed 23 |   lowest first */
#pragma once

#include "emu/code/program.h"

typedef struct {
	uint32_t slot; /* of a register or constant; NO_SLOT: absent */
	int64_t offset;
	bool narrow; /* 32 bits */
	PtxSpace space;
} AsyncAddress;

/* From global to shared memory, to another block's, from shared to global memory; to several blocks of a cluster; and
 * with an operation on what is there (cp.reduce). */
enum { BULK_INWARD, BULK_ACROSS, BULK_OUTWARD, BULK_MULTICAST, BULK_REDUCE_ACROSS, BULK_REDUCE_OUTWARD };

typedef struct {
	AsyncAddress to, from, barrier;
	uint32_t size,
		source_size;  /* places of 32 bits; source_size NO_SLOT: as size. What is beyond it is filled with zeros */
	uint32_t data[2]; /* scratch, 64 bits a lane: what is copied, for observers */
	uint32_t list[2];
	uint32_t blocks; /* place of 16 bits: a multicast to these blocks of the cluster; NO_SLOT: none */
	bool reduces;    /* elements of type */
	PtxType type;
} AsyncCopy;

/* cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: a box of a tensor (gpu/tensor_map.h). */
typedef enum { TENSOR_LOAD, TENSOR_STORE, TENSOR_REDUCE, TENSOR_PREFETCH, TENSOR_MULTICAST } TensorAction;

enum { TENSOR_IM2COL = 8 }; /* added to an action: by an im2col map; of what is loaded or prefetched with offsets */

typedef struct {
	TensorAction action;               /* a multicast is a load with blocks */
	AsyncAddress map, shared, barrier; /* map: generic; barrier: of a load */
	bool im2col;
	uint32_t rank;
	uint32_t coordinates[5]; /* places of 32 bits */
	uint32_t offsets[3];     /* places of 16 bits; of dimensions 1.. */
	uint32_t noffsets;
	uint32_t blocks;  /* place of 16 bits: a multicast to these blocks of the cluster; NO_SLOT: none */
	uint32_t data[2]; /* scratch and its list, as in AsyncCopy */
	uint32_t list[2];
} TensorCopy;

/* cp.async.commit_group: d 0. cp.async.wait_group N: d 1, b N. wait_all, which commits too: d 1, b ASYNC_ALL. */
enum { ASYNC_ALL = UINT32_MAX };

typedef enum {
	MBARRIER_INIT,
	MBARRIER_INVAL,
	MBARRIER_ARRIVE,
	MBARRIER_DROP,
	MBARRIER_EXPECT,
	MBARRIER_COMPLETE,
	MBARRIER_WAIT,
	MBARRIER_PARITY,
	MBARRIER_COUNT,
	MBARRIER_COPIES
} MbarrierKind;

typedef struct {
	MbarrierKind kind;
	AsyncAddress at;
	uint32_t count; /* place of the count, the bytes, or the parity (32 bits); NO_SLOT: one */
	uint32_t state; /* place of a state (64 bits) */
	bool expects;   /* arrive.expect_tx: count is bytes, the arrival is one */
} MbarrierOp;

static inline bool mbarrier_tests(const MbarrierOp *b) {
	return b->kind == MBARRIER_WAIT || b->kind == MBARRIER_PARITY;
}
