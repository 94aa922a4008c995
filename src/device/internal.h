/* What the files of this room share of a Device.
 *
 *     device.c   open, close, list; a worker that died and the filling again
 *     buffers.c  handles, definitions, uploads, downloads, guards
 *     pristine.c contents kept on the device, to fill from
 *     digest.c   digests of contents
 *     textures.c textures and surfaces
 *     kernels.c  modules, kernels, parameters
 *     symbols.c  variables of modules
 *     launch.c   arguments, launches, faults
 *     work.c     several in a row: works, samples, emulation
 *     transfer.c copies between host and GPU, pipelines of them
 *     twin.c     the same launch on an emulator beside the device */
#ifndef GPULAB_DEVICE_INTERNAL_H
#define GPULAB_DEVICE_INTERNAL_H

#include "base/vec.h"
#include "device/backend.h"
#include "device/define.h"
#include "emu/machine.h"

/* A GPU notices an access outside an allocation only pages away, so its buffers lie between guards of known bytes:
 *
 *     base                addr                          addr + bytes
 *      | GUARD_BEFORE      | the elements                | GUARD_AFTER |
 */
enum { GUARD_BEFORE = 4096, GUARD_AFTER = 16384, GUARD_BYTE = 0xc5 };

enum { PIECE_BYTES = 4 << 20 }; /* bulk data is made and moved in pieces of this size */

typedef struct {
	uint32_t generation; /* of the handle that is valid; grows when the slot is freed; never 0 */
	bool live;
	bool stale, written, mapped;
	char name[64];
	ElemType type;
	size_t count, bytes;
	Define define;
	TextureDesc *texture; /* NULL: a buffer */
	uint8_t *copy;        /* DEFINE_DATA on a device that can lose it: what was uploaded */
	uint64_t base;        /* of the backend's allocation; 0: none now */
	uint64_t addr;        /* of the first element */
} Slot;

struct DeviceKernel {
	DeviceKernel *next;
	DeviceModule *module;
	char name[128];     /* as asked for */
	const char *linked; /* in the module's PTX */
	const PtxFunction *function;
	uint8_t *uses; /* by parameter */
	uint32_t *offsets, *sizes;
};

typedef struct ModuleVar ModuleVar; /* symbols.c */

struct DeviceModule {
	DeviceModule *next;
	Compiled *compiled; /* our copy */
	PtxModule *ptx;
	uint64_t number; /* the backend's */
	bool loaded;     /* number means something */
	EmuModule *twin; /* NULL until it is needed */
	DeviceKernel *kernels;
	ModuleVar *vars;   /* by global of the PTX */
	uint64_t launches; /* since it was loaded */
};

/* A buffer of the twin, kept for the next launch there: making 64 MB anew takes longer than counting on them. */
typedef struct {
	uint32_t slot, generation;
	size_t bytes;
	ElemType type;
	Define define;
	bool whole; /* holds what the definition says */
	uint64_t addr;
} TwinBuffer;

/* A definition's content on the device. */
typedef struct {
	ElemType type;
	size_t count;
	Define define;
	uint64_t addr;
} Pristine;

/* What makes digests (digest.h). */
typedef struct {
	bool keyed, loaded, refused; /* refused: this device does not run it */
	uint64_t key[2];
	uint64_t module, sums; /* the backend's number and address */
} Digester;

struct Device {
	Backend *backend;
	DeviceInfo info;
	bool exact;  /* notices every byte out of bounds itself: no guards */
	bool filled; /* buffers and modules are there; false from a worker's death to the filling again */
	VEC(Slot) slots;
	DeviceModule *modules;
	Machine *twin; /* NULL until it is needed */
	VEC(TwinBuffer) twin_buffers;
	size_t twin_bytes;
	VEC(Pristine) pristine;
	size_t pristine_bytes;
	Digester digester;
};

/* device.c: makes sure that the backend lives and holds every buffer and module. Every operation begins with it. */
bool device_ready(Device *device, Err *err);
/* Notes that contents are gone, if they are. Returns whether the backend lives. */
bool device_check_alive(Device *device);
/* A worker can die under any operation. One that leaves the same state however often it is done may be tried once more on a fresh
 * worker, and nobody need know: true after a failure that was such a death. */
bool device_try_again(Device *device, const Err *err);

/* buffers.c */
Slot *slot_get(const Device *device, Buffer buffer, Err *err); /* NULL with err for an invalid handle */
bool slot_fill_again(Device *device, Slot *slot, Err *err);    /* allocates and fills from the definition */
void slot_lost(Slot *slot);                                    /* the backend's content is gone */
bool slot_not_stale(const Slot *slot, Err *err);
/* Offset from the first element of a damaged guard byte; *damaged false: none. Repairs what it finds. */
bool slot_check_guards(Device *device, Slot *slot, bool *damaged, int64_t *offset, Err *err);
bool slot_is_plain(const Slot *slot, Err *err);                          /* no texture */
bool slot_upload_definition(Device *device, const Slot *slot, Err *err); /* made here and sent */
Slot *slot_take(Device *device);                                         /* a free one, not live yet; others may move */
void slot_release(Slot *slot);

/* pristine.c. False without an error that matters: then the slot is filled from here. */
bool pristine_possible(const Device *device, const Slot *slot);
bool pristine_fill(Device *device, const Slot *slot, Err *err);
void pristine_drop(Device *device); /* gives the memory back */
void pristine_lost(Device *device); /* it went with the worker */

/* digest.c */
void digester_lost(Device *device); /* it went with the worker */

/* textures.c: what the functions of buffers.c do where a slot is a texture's. Whole contents. */
bool texture_allocate(Device *device, Slot *slot, Err *err);
void texture_give_back(Device *device, const Slot *slot);
bool texture_write(Device *device, const Slot *slot, const uint8_t *data, Err *err);
bool texture_read(Device *device, const Slot *slot, uint8_t *data, Err *err);

/* kernels.c */
bool module_load_again(Device *device, DeviceModule *module, Err *err);

/* symbols.c */
void symbols_init(DeviceModule *module);
void symbols_free(DeviceModule *module);
void symbols_launched(DeviceModule *module); /* a kernel of it has run */
void symbols_lost(DeviceModule *module);     /* the backend's content is gone */
bool symbols_fill_again(Device *device, DeviceModule *module, Err *err);
bool symbols_fill_twin(Device *device, const DeviceModule *module, bool present, Err *err);
bool symbols_save(Device *device, const DeviceModule *module, Snapshot *snapshot,
				  Err *err); /* those kernels can write */

/* launch.c: arguments against parameters (count, sizes, live buffers, sensible grid and block). */
bool launch_check(const Device *device, const Launch *launch, Err *err);
/* Parameters as the kernel takes them; addr[i] is the address of argument i's buffer. The caller frees *params. */
typedef uint64_t (*AddressOf)(void *user, const Slot *slot);
void launch_pack(const Device *device, const Launch *launch, AddressOf address_of, void *user, uint8_t **params,
				 size_t *bytes);
void fault_name_element(Fault *fault, const Slot *slot);               /* the element's type and size */
bool launch_not_stale(Device *device, const Launch *launch, Err *err); /* what it reads is there */
/* For the backend; the caller frees *params. */
void launch_prepare(Device *device, const Launch *launch, BackendLaunch *call, uint8_t **params);
bool launch_observed(Device *device, const Launch *launch, const Listeners *listeners, LaunchOutcome *out,
					 Err *err); /* on the emulator's own backend */
/* What follows a work on any backend: who is alive, where a fault lies, what was written. */
bool work_conclude(Device *device, const Work *work, LaunchOutcome *out, Err *err);

/* work.c: extents and buffers against each other. */
bool library_check(Device *device, const LibraryCall *call, Err *err);

/* twin.c: the work on an emulator beside the device; an item that is no launch is ERR_SETUP. present: contents as they are now
 * where that matters; otherwise as they were before the launch, as far as definitions tell. unknown (may be NULL) receives the
 * name of a buffer the kernel may read whose content had to be taken from its definition although a kernel had written to it;
 * NULL if none. */
typedef struct {
	bool present;
	const Listeners *listeners; /* one row an item; NULL: nobody listens */
	uint32_t timeout_ms;        /* 0: each launch's own, or the emulator's */
	bool track;                 /* buffers remember which of their bytes were written */
} TwinRun;
bool twin_work(Device *device, const Work *work, const TwinRun *run, LaunchOutcome *out, const char **unknown,
			   Err *err);
void twin_close(Device *device);

#endif
