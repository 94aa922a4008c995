/* What a worker may do once it has opened what it needs: limits the operating system enforces from then on, whatever
 * code the process runs. Each part is in force where the kernel supports it; the state says which. None can be
 * undone.
 *
 *     limits     no core file, a bound on memory, on files written and on descriptors
 *     privileges no_new_privs: no program it starts gains any
 *     files      Landlock (Linux 5.13): only the paths listed can be opened; no TCP (6.7), no signals to others (6.12)
 *     calls      seccomp: no sockets, no programs, no other processes, no tracing, no mounting, no kernel interfaces
 * like bpf; such a call fails with EPERM
 *
 * Threads can be started as before. Landlock holds for the calling thread and those it starts later, so enter before
 * starting any; seccomp holds for all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "wire/record.h"

/* Lists are NULL-terminated; NULL: empty. What is not there is skipped. Open descriptors stay usable. */
typedef struct {
	const char *const *read;    /* files, and folders with all below */
	const char *const *write;   /* likewise; files may also be made and removed */
	const char *const *devices; /* device nodes: read, write, ioctl */
	uint64_t memory_bytes;      /* private memory that can be written; 0: no limit */
	uint64_t file_bytes;        /* no file written grows beyond it; 0: 1 MB, for the standard error */
	unsigned descriptors;       /* 0: as it is */
	bool awake;                 /* it may not sleep, as one that is judged by its processor time */
	bool driver; /* a GPU driver runs here: local sockets, shared memory and its own files' modes are allowed */
} SandboxPlan;

typedef struct {
	bool limits, privileges, files, calls;
	uint32_t landlock; /* the version of its interface; 0: the kernel has none */
} SandboxState;

/* False with err (ERR_SETUP): a part that the kernel has could not be put in force. */
bool sandbox_enter(const SandboxPlan *plan, SandboxState *state, Err *err);

/* "limits, privileges, files, calls"; with "; not here: ..." where parts are missing. */
void sandbox_text(const SandboxState *state, char *out, size_t size);

/* The emulator needs no file: its data is in memory. */
SandboxPlan sandbox_emulator_plan(uint64_t memory_bytes);

/* Host code that is judged: libraries, and what it prints to open descriptors. */
SandboxPlan sandbox_program_plan(void);

/* A CUDA worker: libraries, what the system says about itself, the GPUs' nodes, the driver's cache and its shared
 * memory. Enter after the device is open, since the driver may have to start a program that makes the nodes. The lists
 * are static. */
SandboxPlan sandbox_cuda_plan(void);

extern const Record SandboxState_record;
