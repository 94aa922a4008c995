/* What launches find of what came before: memory whose contents follow from the order of threads, through copies and
 * the program's own memory, too, and whether it begins random numbers from the time. For counters (emu/count/
 * dependence.h). */
#ifndef GPULAB_EXEC_EARLIER_H
#define GPULAB_EXEC_EARLIER_H

#include "base/vec.h"
#include "device/backend/backend.h"
#include "exec/calls.h"

/* Of a kernel's first launch. */
typedef struct {
	const PtxFunction *kernel;
	uint32_t grid[3], block[3];
} FirstShape;

typedef struct {
	VEC(ByteRange) ordered;
	bool host; /* the program has read such contents: what it writes and launches may follow from them */
	bool seeded;
	VEC(FirstShape) shapes;
} Past;

void past_free(Past *past);
void past_copied(Past *past, const ExecCopied *copied);
void past_released(Past *past, uint64_t addr);
/* After a launch. Adds to the answer, in the arena, that the program may have chosen its shape by such contents. */
void past_launched(Past *past, const PtxFunction *kernel, const LaunchConfig *config, ItemAnswer *answer, Arena *arena);

#endif
