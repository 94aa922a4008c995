/* The emulator: one GPU's worth of memory, the modules loaded into it, and launches.
 * Blocks of threads run on `threads` host threads; warps of 32 lanes in lockstep, diverged lanes meeting again at the immediate
 * post-dominator; registers are arrays of 32 lanes, so that one PTX instruction is one vectorised loop.
 * Ownership: a Machine owns its memory and modules; machine_close frees them. The PtxModule must outlive the EmuModule.
 * Threads: one launch at a time per machine; cancel may be set from a signal handler or another thread. */
#ifndef GPULAB_EMU_MACHINE_H
#define GPULAB_EMU_MACHINE_H

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

/* Global memory. Every allocation stands apart from its neighbours (unmapped addresses between), knows its name and size, and
 * which bytes were written. Addresses are aligned to 256. Fresh memory is poisoned (0xff bytes: NaN, -1). */
bool machine_alloc(Machine *machine, size_t bytes, const char *name, uint64_t *addr, Err *err);
/* The host's memory, mapped: for kernels like any other, and above MAPPED_BASE. */
bool machine_alloc_mapped(Machine *machine, size_t bytes, const char *name, uint64_t *addr, Err *err);
bool machine_release(Machine *machine, uint64_t addr, Err *err); /* later uses are reported as "freed" */
bool machine_write(Machine *machine, uint64_t addr, const void *data, size_t bytes, Err *err); /* marks as written */
bool machine_read(Machine *machine, uint64_t addr, void *data, size_t bytes, Err *err);
/* The memory behind a device address, for bulk work by the host; NULL unless [addr, addr + bytes) is inside one allocation. */
void *machine_host(Machine *machine, uint64_t addr, size_t bytes);
/* For the init checker. Buffers allocated while tracking is on remember which of their bytes were written, by kernels or by
 * machine_write; all others count as written throughout. */
void machine_track_written(Machine *machine, bool on);
/* From now on this buffer does, too; nothing of it counts as written so far. Nothing happens for an address that begins none. */
void machine_track_fresh(Machine *machine, uint64_t addr);
bool machine_written(const Machine *machine, uint64_t addr, size_t bytes);

/* Textures and surfaces (gpu/texture.h). The handle is what a kernel takes as cudaTextureObject_t; poisoned when made. */
bool machine_texture(Machine *machine, const TextureDesc *desc, const char *name, uint64_t *handle, Err *err);
bool machine_texture_free(Machine *machine, uint64_t handle, Err *err);
/* Its texels, row by row; NULL: there is none, or it was freed. */
void *machine_texture_host(Machine *machine, uint64_t handle, size_t *bytes);

/* What memory holds, taken now and put back later: bytes, and which of them count as written. snapshot_add: all of the allocation
 * that `at` lies in, or of the texture of that handle, once however often it is added; false: neither, or no memory for it. None of
 * it may be freed before. snapshot_put_back frees the snapshot, too. */
typedef struct Snapshot Snapshot;
Snapshot *snapshot_new(Machine *machine);
bool snapshot_add(Snapshot *snapshot, uint64_t at, Err *err);
void snapshot_put_back(Snapshot *snapshot);

/* Lowers every function once to typed operations and places .global and .const variables. An instruction the emulator does not
 * cover yet is no error here: executing it is a FAULT_INSTRUCTION that names it and its source line. */
bool machine_load(Machine *machine, const PtxModule *module, EmuModule **out, Err *err);
void machine_unload(Machine *machine, EmuModule *module);
const EmuKernel *emu_kernel(const EmuModule *module, const char *linked_name); /* NULL: not there */
bool emu_symbol(const EmuModule *module, const char *name, uint64_t *addr, size_t *bytes);

const PtxFunction *emu_kernel_function(const EmuKernel *kernel);
size_t emu_kernel_static_shared(const EmuKernel *kernel); /* bytes per block */
uint32_t emu_kernel_registers(const EmuKernel *kernel);   /* estimate, 32-bit registers per thread */

typedef struct {
	LaunchConfig config; /* timeout_ms 0: a minute */
	const void *params;  /* laid out as the kernel's PtxVar offsets say */
	size_t param_bytes;
	Observer **observers;
	size_t nobservers;
	const atomic_bool *cancel; /* may be NULL; looked at often enough that Ctrl-C feels immediate */
	void (*print)(void *user, const char *text,
				  size_t len); /* printf from kernels; called in block order; may be NULL */
	void *user;
} EmuLaunch;

/* Runs to the end, to the first fault, the limit, or the cancel. The outcome is always filled; false (with err) only where the
 * call itself made no sense, e.g. params of the wrong size. Memory keeps what the kernel wrote. */
bool machine_launch(Machine *machine, const EmuKernel *kernel, const EmuLaunch *launch, LaunchOutcome *out, Err *err);

#endif
