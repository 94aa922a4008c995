/* What buffers, textures and modules hold on each side of a device, and when it is lost:
 *
 *     slots.c      slots, and the handles that name them
 *     contents.c   memory for a slot on one side, and what it is filled with; textures alike
 *     cache.c      contents kept on the device, to fill from
 *     variables.c  what modules' variables hold
 *     modules.c    modules and kernels
 *     restart.c    a worker that died, and the fresh start
 *     shadow.c     slots and modules on the emulator next to the device
 *     past.c       what buffers held before they changed, where a launch was given it
 *     buffers.c, textures.c, symbols.c, digest.c    what device.h says of each */
#pragma once

#include "base/ordered.h"
#include "base/vec.h"
#include "device/backend/backend.h"
#include "device/backend/define.h"
#include "device/device.h"

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
	uint64_t at; /* the address that it has to have (device_buffer_at); 0: any */
	Define define;
	TextureDesc *texture; /* NULL: a buffer */
	ArgPointer *pointers; /* addresses of other buffers among its elements (device_upload_pointers) */
	uint32_t npointers;
	VEC(Gap) uploaded;      /* into a sentinel fill, which the rest is; empty: all of it was written, or none */
	uint8_t *copy;          /* DEFINE_DATA where the device could lose it: what was uploaded */
	uint64_t version;       /* of its contents: another number when they change */
	uint32_t plan, in_plan; /* the last plan it was in, and where (ask/ask.h) */
	Place place, shadow;
} Slot;

/* A buffer that was freed, for copies of the device: its use is to be one of freed memory there, too. */
typedef struct {
	uint64_t at;
	size_t bytes;
	char name[64];
} FreedAt;

enum {
	MOST_UPLOADED = 4096,     /* ranges of one buffer; with more all of it counts as written */
	PAST_ONE_BYTES = 4 << 20, /* a larger buffer is not copied */
	PAST_ALL_BYTES = 64 << 20 /* of one device */
};
/* What a buffer held at one version, for as long as someone may ask for it (device/inputs.h). */
typedef struct {
	Buffer buffer;
	uint64_t version;
	uint32_t users;
	bool defined; /* the definition makes it again */
	Define define;
	uint8_t *copy; /* since it changed; NULL: it has not, or there was no room */
	size_t bytes;
} Past;

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
	Assembled assembled[MOST_ASSEMBLED];
	uint32_t nassembled;
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
	VEC(FreedAt) freed; /* of those that had addresses of their own */
	OrderedMap unused;  /* the numbers of those that are free */
	uint32_t plans;     /* made so far */
	uint64_t versions;  /* of contents, given so far */
	VEC(Past *) past;   /* the oldest first */
	size_t past_bytes;  /* of copies */
	uint32_t in_past;   /* so often earlier contents are in place: what happens to them is undone */
	DeviceModule *modules;
	VEC(CachedFill) cache;
	size_t cache_bytes, shadow_bytes;
	Digester digester;
};

/* slots.c */
Slot *slot_get(const Device *device, Buffer buffer, Err *err); /* NULL with err for an invalid handle */
Slot *slot_take(Device *device);                               /* a free one, not live yet; others may move */
void slot_release(Device *device, Slot *slot);
Buffer slot_handle(const Device *device, const Slot *slot);
bool slot_not_stale(const Slot *slot, Err *err);
bool slot_is_plain(const Slot *slot, Err *err); /* no texture */
bool same_define(Define a, Define b);
const Gpu *emulated_gpu(const Device *device);                            /* what an emulator of this device emulates */
void fault_name_element(Fault *fault, const Slot *slot);                  /* the element's type and size */
void fault_find_element(const Device *device, Fault *fault, bool shadow); /* likewise, of the slot at its address */

/* past.c */
bool slot_is_defined(const Slot *slot);          /* its definition makes what it holds */
void slot_changes(Device *device, Slot *slot);   /* before its contents do */
Past *past_of(Device *device, const Slot *slot); /* of what it holds now; one user more */
void past_drop(Device *device, Past *past);      /* one user less */
void past_forget(Device *device);                /* the device is closed */

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
/* What it holds now; no need to ask the backend where no kernel can have written to it. */
bool variable_read(Device *device, const DeviceModule *module, uint32_t variable, uint8_t *data, Err *err);
bool variable_is_kept(const DeviceModule *module, uint32_t variable); /* a launch's result may depend on it */
bool variable_may_change(const DeviceModule *module, uint32_t variable);
bool variable_stale(const DeviceModule *module, uint32_t variable);
void variable_remember(const Device *device, DeviceModule *module, uint32_t variable, size_t offset, const void *data,
					   size_t bytes);
/* Addresses of buffers among what was uploaded: number n of them, false: there are no more. */
void variable_add_pointer(DeviceModule *module, uint32_t variable, ArgPointer pointer);
bool variable_pointer(const DeviceModule *module, uint32_t variable, uint32_t n, ArgPointer *out);
bool variables_point_in_shadow(Device *device, const DeviceModule *module, Err *err); /* once the slots are there */
void variable_name(const PtxVar *v, char *out, size_t size);                          /* as in the source */

/* restart.c: makes sure that the backend lives and holds every buffer and module. Every operation begins with it. */
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

/* shadow.c: an emulator of the device's own generation that holds the buffers launches are given, filled with what
 * the device holds now (present), or with what they were defined as. What a launch did not change stays there. */
bool shadow_open(Device *device, Err *err);
void shadow_make_room(Device *device); /* where much is kept */
bool shadow_load(Device *device, DeviceModule *module, Err *err);
/* uses: a set of USE_*. *unknown: the slot's name, where it held something else than its definition that is lost. */
bool shadow_hold(Device *device, Slot *slot, uint8_t uses, bool present, const char **unknown, Err *err);
void shadow_forget(Device *device, Slot *slot); /* it is redefined or freed */
void shadow_forget_all(Device *device);
void shadow_close(Device *device);
