/* Where a kernel uses the registers of a wgmma product that it did not wait for. */
#pragma once

#include "base/vec.h"
#include "emu/observer.h"

typedef struct {
	uint32_t instr, product; /* of the kernel: the use, and the wgmma.mma_async */
} EarlyUse;

typedef VEC(EarlyUse) EarlyUses;

/* Of the launch's kernel, not of the functions it calls. A copy to another register is no use, since compilers move
 * values between registers as they like; what is done with the copy is. */
EarlyUses early_uses(const LaunchInfo *info);
