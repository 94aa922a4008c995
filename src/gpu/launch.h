/* What is asked of a launch, and what came of it: shared by the emulator and every device backend. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

typedef struct {
	uint32_t grid[3], block[3]; /* in blocks, in threads; never 0 */
	uint32_t cluster[3];        /* blocks of a cluster; 0: as the kernel says by __cluster_dims__ */
	size_t shared_bytes;        /* dynamic shared memory per block */
	uint32_t timeout_ms;        /* on a GPU of its time, on the emulator of processor time; 0: the device's default */
	size_t
		heap_bytes; /* of kernels' malloc (cudaLimitMallocHeapSize), from this launch on; 0: as it is, 8 MiB at first */
	uint64_t sample;   /* emulator: so many blocks run at least, spread over the grid; 0: all */
	bool sample_half;  /* every second part of that sample */
	bool cooperative;  /* all blocks are on the GPU at once, so that this_grid().sync() may wait for them */
	uint64_t schedule; /* emulator: seed of an adversarial order of blocks and warps; 0: the ordinary one */
	bool crowded;      /* emulator: every second schedule has room for half of the blocks or one, if not cooperative */
	bool concurrent;   /* emulator: others may change memory while it runs: a warp that waits may do so for them */
	bool repeatable;   /* emulator: one host thread runs all blocks, so that the order is the same each time */
	/* emulator: basic blocks that all warps execute together, 0: no limit; beyond it the launch times out, at the same
	 * place on every host */
	uint64_t work_limit;
} LaunchConfig;

/* Per thread, what the assembler gives a kernel for a compute capability. */
typedef struct {
	uint32_t cc, registers; /* registers 0: not known */
	uint32_t local_bytes;   /* arrays in local memory, and spilled registers */
} Assembled;
enum { MOST_ASSEMBLED = 16 };
/* 0: not known. */
static inline uint32_t assembled_registers(const Assembled *assembled, uint32_t n, uint32_t cc) {
	for (uint32_t i = 0; i < n; i++)
		if (assembled[i].cc == cc) return assembled[i].registers;
	return 0;
}

typedef enum {
	LAUNCH_OK,
	LAUNCH_FAULT,      /* the kernel did something wrong; Fault says what */
	LAUNCH_LIMIT,      /* the GPU does not allow this configuration; message has both values */
	LAUNCH_TIMEOUT,    /* stopped at the limit */
	LAUNCH_INTERRUPTED /* stopped by Ctrl-C */
} LaunchStatus;

typedef enum {
	FAULT_NONE,
	FAULT_OUT_OF_BOUNDS, /* outside every allocation, or past the end of one */
	FAULT_FREED,         /* inside an allocation that was freed */
	FAULT_MISALIGNED,
	FAULT_WRONG_SPACE, /* e.g. a local address used as global */
	FAULT_STACK,       /* call depth or local memory exhausted */
	FAULT_TRAP,        /* __trap() */
	FAULT_ASSERT,      /* assert() */
	FAULT_BARRIER,     /* a barrier that can never be completed */
	FAULT_INSTRUCTION, /* an instruction the emulator does not execute (named), or an illegal one */
	FAULT_UNKNOWN      /* the GPU reported a failure without saying more */
} FaultKind;

typedef struct {
	FaultKind kind;
	bool located;  /* block, thread, file and line are known */
	bool replayed; /* they were found by replaying the launch on the emulator, not by the GPU */
	uint32_t block[3], thread[3];
	uint32_t threads; /* how many lanes of its warp did the same, at least 1 */
	char kernel[128];
	char file[256];
	uint32_t line;
	char space[8];  /* "global", "shared", "local"... */
	char access[8]; /* "load", "store", "atomic" or "" */
	uint32_t width; /* bytes accessed by the thread */
	uint64_t address;
	char buffer[64];     /* nearest allocation's or variable's name, or "" */
	int64_t offset;      /* bytes from its start, may be negative */
	size_t buffer_bytes; /* its size */
	uint32_t elem_bytes; /* its element's size, 0 unknown; filled by device.c */
	char elem_type[24];  /* "float" */
	char message[512];   /* a full sentence for people, without the place */
} Fault;

typedef struct {
	LaunchStatus status;
	double milliseconds; /* GPU: between events around the launch; emulator: wall time, of no meaning for a GPU */
	Fault fault;         /* if LAUNCH_FAULT; its place also where an emulator's launch timed out or was interrupted */
	char message[512];   /* if not LAUNCH_OK: a sentence with what to do */
	size_t shadow_bytes; /* emulator: what the checkers' shadows took of the host's memory */
} LaunchOutcome;

/* Where a fault's message has to leave open what is at the address, in its last words before the full stop. */
#define FAULT_NOWHERE "no allocation is near: it is host memory, or a pointer that was never set"
#define FAULT_ENDED "has ended; cluster.sync() before the end keeps it"
#define FAULT_NULL "nothing there: a null pointer"

/* What did not end well as an error: its kind (a limit is a fault: exit code 2), message, and file:line. False. */
bool launch_error(const LaunchOutcome *outcome, Err *err);

uint64_t launch_blocks(const LaunchConfig *config);        /* of the grid */
uint64_t launch_block_threads(const LaunchConfig *config); /* of a block */
/* Where a block is in the grid, or a thread in its block: x counts first. */
void launch_place(uint64_t number, const uint32_t shape[3], uint32_t out[3]);

/* A sample of the grid's blocks: an even number of runs of neighbors, evenly spread. A run is SAMPLE_RUN blocks; where
 * fewer than two such runs are asked for there are two shorter ones, in multiples of SAMPLE_LEAST. Under an adversarial
 * schedule all blocks run. */
enum {
	SAMPLE_RUN = 240,  /* whole rounds of one block an SM on 8, 15, 16 and 30 SMs */
	SAMPLE_LEAST = 30, /* on 15 and 30 */
};
uint64_t launch_sample_run(const LaunchConfig *config); /* blocks of a run, which begins at a multiple of it */
uint64_t launch_blocks_run(const LaunchConfig *config); /* how many blocks a launch runs */
uint64_t launch_block_of(const LaunchConfig *config, uint64_t i); /* the number in the grid of the i-th of them */

/* "ok", "fault", ...; "out of bounds", ...; by enumerator, NULL at their end. */
extern const char *const launch_status_names[], *const fault_kind_names[];
