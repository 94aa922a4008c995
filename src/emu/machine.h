/* The emulator: one GPU's worth of memory, the modules loaded into it, and launches.
 * Blocks of threads run on `threads` host threads; warps of 32 lanes in lockstep, diverged lanes reconverge at the
 * immediate post-dominator; registers are arrays of 32 lanes, so that one PTX instruction is one vectorised loop.
 * Ownership: a Machine owns its memory and modules; machine_close frees them. The PtxModule must outlive the
 * EmuModule.
 * Threads: one launch at a time per machine; cancel may be set from a signal handler or another thread. */
#pragma once

#include <stdatomic.h>

#include "emu/observer.h"
#include "gpu/gpu.h"
#include "gpu/launch.h"
#include "gpu/texture.h"
#include "ptx/module.h"

typedef struct Machine Machine;
typedef struct EmuModule EmuModule;
typedef struct EmuKernel EmuKernel;

Machine *machine_open(const Gpu *gpu, unsigned threads); /* threads 0: one a core */
void machine_close(Machine *machine);
const Gpu *machine_gpu(const Machine *machine);

/* Global memory. Allocations do not adjoin (unmapped addresses between them); each has a name, a size, and a record
 * of which bytes were written. Addresses are aligned to 256. New memory has a sentinel fill (0xff bytes: NaN, -1). */
bool machine_alloc(Machine *machine, size_t bytes, const char *name, uint64_t *addr, Err *err);
/* Mapped host memory: for kernels like any other, above MAPPED_BASE. */
bool machine_alloc_mapped(Machine *machine, size_t bytes, const char *name, uint64_t *addr, Err *err);
/* Over bytes shared with another process: they keep their contents, and are not freed on release. again: the address
 * it had in a process that ended; 0: a new one. */
bool machine_alloc_over(Machine *machine, size_t bytes, const char *name, bool mapped, void *host, uint64_t again,
						uint64_t *addr, Err *err);
void machine_mark_written(Machine *machine, uint64_t addr, size_t bytes); /* the sharing process has written there */
bool machine_release(Machine *machine, uint64_t addr, Err *err);          /* later uses are reported as "freed" */
bool machine_write(Machine *machine, uint64_t addr, const void *data, size_t bytes, Err *err); /* marks as written */
bool machine_read(Machine *machine, uint64_t addr, void *data, size_t bytes, Err *err);
/* The memory behind a device address, for bulk access by the host; NULL unless [addr, addr + bytes) is inside one
 * allocation. */
void *machine_host(Machine *machine, uint64_t addr, size_t bytes);
/* For the init checker. From now on the buffer remembers which of its bytes kernels or machine_write wrote; none of it
 * counts as written so far, and all others count as written throughout. No effect for an address that is not the
 * beginning of one. */
void machine_track_fresh(Machine *machine, uint64_t addr);

/* Textures and surfaces (gpu/texture.h). The handle is what a kernel takes as cudaTextureObject_t; with a sentinel
 * fill when created. */
bool machine_texture(Machine *machine, const TextureDesc *desc, const char *name, uint64_t *handle, Err *err);
bool machine_texture_free(Machine *machine, uint64_t handle, Err *err);
/* Its texels, row by row; NULL: it does not exist, or was freed. */
void *machine_texture_host(Machine *machine, uint64_t handle, size_t *bytes);

/* Contents of memory, saved now and restored later: bytes, and which of them count as written. snapshot_add: the
 * whole allocation that contains `at`, or the texture of that handle, once even if added repeatedly; false: neither,
 * or no memory for it. None of it may be freed before the restore. snapshot_put_back frees the snapshot, too. */
typedef struct Snapshot Snapshot;
Snapshot *snapshot_new(Machine *machine, bool heap); /* heap: with the heap of the device's malloc */
bool snapshot_add(Snapshot *snapshot, uint64_t at, Err *err);
void snapshot_put_back(Snapshot *snapshot);
/* A digest of what is in the memory of the snapshot now. Equal digests are of equal contents, but for a chance of about
 * 2^-64. */
void snapshot_digest(const Snapshot *snapshot, uint64_t digest[2]);

/* Modules loaded from now on are for stepping: every register has a place of its own, which holds its value until it is
 * written again. */
void machine_keep_registers(Machine *machine, bool on);

/* Lowers every function once to typed operations and places .global and .const variables. An instruction that the
 * emulator does not cover yet is not an error here: executing it is a FAULT_INSTRUCTION that names it and its source
 * line. */
bool machine_load(Machine *machine, const PtxModule *module, EmuModule **out, Err *err);
void machine_unload(Machine *machine, EmuModule *module);
const EmuKernel *emu_kernel(const EmuModule *module, const char *linked_name); /* NULL: not there */
bool emu_symbol(const EmuModule *module, const char *name, uint64_t *addr, size_t *bytes);

const PtxFunction *emu_kernel_function(const EmuKernel *kernel);
size_t emu_kernel_static_shared(const EmuKernel *kernel); /* bytes per block */
uint32_t emu_kernel_registers(const EmuKernel *kernel);   /* estimate, 32-bit registers per thread */

typedef struct {
	LaunchConfig config; /* timeout_ms of processor time; 0: a minute */
	const void *params;  /* laid out as the kernel's PtxVar offsets say */
	size_t param_bytes;
	const Assembled
		*assembled; /* [nassembled] registers per thread, where they are better known than by the estimate */
	uint32_t nassembled;
	Observer **observers;
	size_t nobservers;
	size_t shadow_bytes;       /* limit of all checkers' shadow memory; 0: 1 GiB */
	const atomic_bool *cancel; /* may be NULL; polled often enough that Ctrl-C feels immediate */
	void (*print)(void *user, const char *text,
				  size_t len); /* printf from kernels; called in block order; may be NULL */
	void *user;
} EmuLaunch;

/* Runs to the end, to the first fault, the limit, or the cancel. The outcome is always filled; false (with err) only
 * if the call itself is invalid, e.g. params of the wrong size. Memory keeps what the kernel wrote. */
bool machine_launch(Machine *machine, const EmuKernel *kernel, const EmuLaunch *launch, LaunchOutcome *out, Err *err);
