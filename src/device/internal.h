/* What the files of this folder share of a Device. Each uses only those above it:
 *
 *     handles.c   slots, and the handles that name them
 *     contents.c  memory for a slot on one side, and what it is filled with; textures alike
 *     cache.c     contents kept on the device, to fill from
 *     variables.c what modules' variables hold
 *     ready.c     a worker that died, and the fresh start
 *     launch.c    arguments, checked and packed
 *     shadow.c    the same launches on an emulator next to the device
 *     fault.c     guards, and what is made of a fault
 *     buffers.c   textures.c   symbols.c   modules.c   digest.c    what device.h says of each
 *     submit.c    lists of launches: run, timed, emulated
 *     step.c      a launch that is stepped, on an emulator of its own
 *     lock.c      the lock of a GPU, and the queue for it
 *     transfer.c  copies between host and GPU, pipelines of them
 *     device.c    open, close, list */
#ifndef GPULAB_DEVICE_INTERNAL_H
#define GPULAB_DEVICE_INTERNAL_H

#include "base/vec.h"
#include "device/backend/backend.h"
#include "device/contents/define.h"

enum { PIECE_BYTES = 4 << 20 }; /* bulk data is made and moved in pieces of this size */

/* --- contents ----------------------------------------------------------------------------------------------------- */

/* What a buffer, a texture holds:
 *
 *              launch that writes           the worker dies
 *     DEFINED ------------------> WRITTEN -----------------> STALE
 *        ^                           |                         |
 *        '----- defined, uploaded whole; WRITTEN again by a launch that only writes -----'
 *
 * Contents in shared memory outlive the worker, but for those of the launch it died in. */
typedef enum {
	CONTENTS_DEFINED, /* what its definition says */
	CONTENTS_WRITTEN, /* a kernel may have written to it since */
	CONTENTS_STALE    /* what it held is gone */
} Contents;

/* Where a slot's memory is on one side. */
typedef struct {
	uint64_t base; /* of the backend's allocation, or the number of its texture; 0: none */
	uint64_t addr; /* of the first element; of a texture: what a kernel takes */
	bool whole;    /* on the shadow: it holds what the definition says */
} Place;

typedef struct {
	uint32_t generation; /* of the handle that is valid; grows when the slot is freed; never 0 */
	bool live, mapped;
	Contents contents;
	bool at_risk; /* a launch that may write to it is in flight */
	bool lost;    /* its memory has to be filled again */
	char name[64];
	ElemType type;
	size_t count, bytes;
	Define define;
	TextureDesc *texture; /* NULL: a buffer */
	ArgPointer *pointers; /* addresses of other buffers among its elements (device_upload_pointers) */
	uint32_t npointers;
	uint8_t *copy; /* DEFINE_DATA where the device could lose it: what was uploaded */
	Place place, shadow;
} Slot;

/* A backend and how buffers are placed there. A GPU notices an access outside an allocation only pages away, so on one
 * its buffers are between guards of known bytes:
 *
 *     base                addr                          addr + bytes
 *      | GUARD_BEFORE      | the elements                | GUARD_AFTER |
 */
enum { GUARD_BEFORE = 4096, GUARD_AFTER = 16384, GUARD_BYTE = 0xc5 };
typedef struct {
	Backend *backend; /* NULL: not opened yet */
	bool guards;
	size_t heap_bytes; /* the limit that its launches got last; 0: none */
} Side;

/* --- modules ------------------------------------------------------------------------------------------------------ */

struct DeviceKernel {
	DeviceKernel *next;
	DeviceModule *module;
	char name[128];     /* as asked for */
	const char *linked; /* in the module's PTX */
	const PtxFunction *function;
	uint8_t *uses; /* by parameter (uses.h) */
	ParamPlace *places;
};

typedef struct Variable Variable; /* variables.c */

struct DeviceModule {
	DeviceModule *next;
	Compiled *compiled; /* our copy */
	PtxModule *ptx;
	uint64_t number, shadow_number; /* the backends' */
	bool loaded, shadow_loaded;     /* the numbers mean something */
	DeviceKernel *kernels;
	Variable *variables; /* by global of the PTX */
	uint64_t launches;   /* since it was loaded */
};

/* --- the device --------------------------------------------------------------------------------------------------- */

/* A definition's contents, kept on the device. */
typedef struct {
	ElemType type;
	size_t count;
	Define define;
	uint64_t addr;
} CachedFill;

/* What makes digests (digest.c). */
typedef struct {
	bool keyed, loaded, refused; /* refused: this device does not run it */
	uint64_t key[2];
	uint64_t module, sums; /* the backend's number and address */
} Digester;

struct Device {
	Side main, shadow;
	DeviceInfo info;
	bool keeps_registers; /* its modules are for stepping */
	bool filled;          /* buffers and modules are there; false from a worker's death to the filling again */
	bool unreachable;     /* the last start of a worker failed, which may have taken long: not tried twice */
	VEC(Slot) slots;
	DeviceModule *modules;
	VEC(CachedFill) cache;
	size_t cache_bytes, shadow_bytes;
	Digester digester;
};

/* handles.c */
Slot *slot_get(const Device *device, Buffer buffer, Err *err); /* NULL with err for an invalid handle */
Slot *slot_take(Device *device);                               /* a free one, not live yet; others may move */
void slot_release(Slot *slot);
Buffer slot_handle(const Device *device, const Slot *slot);
bool slot_not_stale(const Slot *slot, Err *err);
bool slot_is_plain(const Slot *slot, Err *err); /* no texture */
bool same_define(Define a, Define b);
void fault_name_element(Fault *fault, const Slot *slot);                  /* the element's type and size */
void fault_find_element(const Device *device, Fault *fault, bool shadow); /* likewise, of the slot at its address */
const Gpu *emulated_gpu(const Device *device);                            /* what an emulator of this device emulates */
bool not_interrupted(Err *err);                                           /* device_cancel */

/* contents.c: one way to fill, for both sides. */
bool place_make(const Side *side, const Slot *slot, Place *place, bool again,
				Err *err); /* again: its bytes are still there */
void place_drop(const Side *side, const Slot *slot, Place *place);
bool place_define(const Side *side, const Slot *slot, const Place *place, Err *err); /* what the definition says */
/* Any bytes; of a texture all of them. */
bool place_write(const Side *side, const Slot *slot, const Place *place, size_t offset, const void *data, size_t bytes,
				 Err *err);
bool place_read(const Side *side, const Slot *slot, const Place *place, size_t offset, void *data, size_t bytes,
				Err *err);

/* cache.c. cache_fill is false without an error that matters: then fill from here. */
bool cache_possible(const Device *device, const Slot *slot);
bool cache_fill(Device *device, const Slot *slot, Err *err);
void cache_drop(Device *device); /* gives the memory back */
void cache_lost(Device *device); /* it went with the worker */

/* variables.c */
bool is_variable(const PtxVar *v); /* one that people can name */
void variables_init(DeviceModule *module);
void variables_free(DeviceModule *module);
void variables_launched(DeviceModule *module); /* a kernel of it has run */
void variables_lost(DeviceModule *module);     /* the backend's contents are gone */
bool variables_fill(Device *device, DeviceModule *module, Err *err);
bool variables_fill_shadow(Device *device, const DeviceModule *module, bool present, Err *err);
bool variable_place(Device *device, const DeviceModule *module, uint32_t variable, uint64_t *addr, Err *err);
bool variable_may_change(const DeviceModule *module, uint32_t variable);
bool variable_stale(const DeviceModule *module, uint32_t variable);
void variable_remember(const Device *device, DeviceModule *module, uint32_t variable, size_t offset, const void *data,
					   size_t bytes);
/* Addresses of buffers among what was uploaded: number n of them, false: there are no more. */
void variable_add_pointer(DeviceModule *module, uint32_t variable, ArgPointer pointer);
bool variable_pointer(const DeviceModule *module, uint32_t variable, uint32_t n, ArgPointer *out);
bool variables_point_in_shadow(Device *device, const DeviceModule *module, Err *err); /* once the slots are there */
void variable_name(const PtxVar *v, char *out, size_t size);                          /* as in the source */

/* ready.c: makes sure that the backend lives and holds every buffer and module. Every operation begins with it. */
bool device_ready(Device *device, Err *err);
/* A worker can die during any operation. An idempotent one may be retried once on a new worker: true after a failure
 * that was such a death. */
bool device_try_again(Device *device, const Err *err);
/* Such an operation, an expression that fails with err: on a device that is ready, and where that died, on the next. */
#define ON_WORKER(device, err, operation)                                                                              \
	((device_ready(device, err) && (operation)) ||                                                                     \
	 (device_try_again(device, err) && device_ready(device, err) && (operation)))
bool module_load(Device *device, DeviceModule *module, Err *err);

/* contents.c: what is overwritten is no pointer any more; and each side's addresses where the slot has some. */
void slot_forget_pointers(Slot *slot, size_t from, size_t end);
bool slot_write_pointers(const Device *device, const Side *side, const Slot *slot, bool shadow, Err *err);

/* launch.c: arguments against parameters (count, sizes, live buffers, sensible grid and block). */
bool launch_check(const Device *device, const Launch *launch, Err *err);
bool library_check(Device *device, const LibraryCall *call, Err *err); /* extents and buffers against each other */
bool is_launch(const LaunchItem *item);
/* One after the other, what a launch's arguments refer to: for (SlotUse at = {0}; launch_next_slot(..., &at);). */
typedef struct {
	Slot *slot;
	uint8_t uses; /* a set of USE_* */
	uint32_t arg, pointer, inner, variable;
	const Slot *table; /* the slot before, whose pointers come next */
} SlotUse;
bool launch_next_slot(const Device *device, const Launch *launch, SlotUse *at);
bool launch_not_stale(Device *device, const Launch *launch, Err *err); /* what it reads is there */
/* How an item, or any item of a list, uses a slot: a set of USE_* (uses.h). */
uint8_t item_uses(const Device *device, const LaunchItem *item, const Slot *slot);
uint8_t list_uses(const Device *device, const LaunchList *list, const Slot *slot);
/* For a backend, in `arena`. shadow: with the addresses there. */
void item_prepare(Device *device, const LaunchItem *item, bool shadow, Arena *arena, BackendItem *out);
/* What a backend is asked of the list, and the asking. */
Submission list_prepare(Device *device, const LaunchList *list, const Ask *ask, bool shadow, Arena *arena);
bool list_submit(Backend *b, const LaunchList *list, Submission submission, Arena *arena, Report *out, Err *err);

/* shadow.c: the list on an emulator next to the device; an item that is no launch is ERR_SETUP. present: with contents
 * as they are now where that matters; else as they were before, as far as definitions say. unknown receives the name of
 * a buffer the kernels may read whose contents had to be taken from its definition although a kernel had written to it;
 * NULL if none. */
bool shadow_submit(Device *device, const LaunchList *list, const Ask *ask, bool present, Arena *arena, Report *out,
				   const char **unknown, Err *err);
void shadow_forget(Device *device, Slot *slot); /* it is redefined or freed */
void shadow_close(Device *device);

/* fault.c: what follows items on the device: which workers live, out-of-bounds writes, the place of a fault. */
bool list_conclude(Device *device, const LaunchList *list, LaunchOutcome *out, Err *err);

#endif
