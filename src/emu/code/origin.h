/* Where addresses come from, as far as it shows before a launch.
 *
 * Each register holds a plain number, an address of one known origin (a shared variable by name, or the pointer in a
 * kernel parameter that points into a buffer), or something unknown. Origins pass through moves,
 * conversions of addresses, sums and selections; an origin plus a number keeps the origin; two origins that meet are
 * unknown. The analysis is flow-insensitive: a register has one state for the whole function. */
#pragma once

#include "emu/memory/memory.h"
#include "emu/observer.h"

typedef enum { ORIGIN_NEVER, ORIGIN_NUMBER, ORIGIN_KNOWN, ORIGIN_UNKNOWN } OriginKind;

/* Where an origin may lead: bytes [low, high) of shared memory or of the device's addresses. */
typedef struct {
	OriginKind kind;
	PtxSpace space;
	uint64_t low, high;
} Origin;

/* Of each of its instructions that accesses memory, the origin of the address; the others stay as they are. */
void origins_of_accesses(const LaunchInfo *info, const PtxFunction *f, Origin *of_instr);
/* The buffer into which one of them accesses. NULL: it is not known. */
const Allocation *origin_of_access(const LaunchInfo *info, const PtxFunction *f, uint32_t instr);
