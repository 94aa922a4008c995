/* A Device runs compiled kernels over buffers. The emulator and CUDA implement these functions, both in a worker
 * process; callers never check which: what a device cannot do is a capability bit (DeviceInfo.can), and its use is an
 * error with a message.
 * Ownership: a Device owns its buffers and modules; device_close frees them.
 * Failure: functions return false and fill Err, outputs stay untouched. A failed launch is not an Err but a
 * LaunchOutcome with its details. */
#pragma once

#include "device/backend/gpu_lock.h"
#include "device/types.h"

typedef struct Device Device;

/* Handles are plain numbers that go stale safely: every use of a freed one is reported, never dereferenced.
 *
 * When a worker process dies (a fault, a hang, kill -9), the next operation starts a fresh one. Contents that were in
 * memory shared with it are still there, but for the buffers of the launch it died in; all others are filled again from
 * their definition. A buffer whose contents cannot be had again is then *stale*: what a kernel left there is gone.
 *   - Downloading it, or launching a kernel that may read it, is ERR_FAULT and names the buffer.
 *   - device_define, an upload of all its elements, or a launch whose kernel only writes it makes it good again.
 * Whether a kernel reads or writes a buffer is taken from its PTX (uses.h); in doubt it does both. A launch that took
 * the worker down leaves buffers as they were before it: those never written by an earlier launch are simply filled
 * again. */
typedef struct {
	uint32_t slot, generation; /* generation: a freed slot's old handles are invalid */
} Buffer;

typedef struct DeviceModule DeviceModule;
typedef struct DeviceKernel DeviceKernel;

/* Opens by name: "cuda", "cuda:0", "emu", "emu:GTX 280". "auto": the first GPU, else the emulator. Opening "cuda" waits
 * for its worker and finds out what is there; ERR_SETUP says what is missing. An emulator's worker gets ready in the
 * background. "worker:NAME" is NAME served by whatever the worker of this program makes of it: for tests. */
bool device_open(const char *name, Device **out, Err *err);

bool device_open_place(const DevicePlace *place, Device **out, Err *err);

/* Asks for the worker of a place and returns at once. Any call that needs the worker waits for it, asked for or not. */
bool device_ask(Device *device, Err *err);
/* False: it did not come, and err says why. Never waits. */
bool device_asked(Device *device, DeviceAsked *out, Err *err);
/* Whether its worker is there with all its contents, so that a failure was not the worker's death or absence. Notes
 * that contents are gone, if they are. */
bool device_works(Device *device);
void device_take_back(Device *device); /* what was asked for and is not here */

void device_close(Device *device);
const DeviceInfo *device_info(const Device *device);
/* What can be opened here: names and descriptions, one DeviceInfo each; the caller frees. One that has without_gpu is a
 * GPU that is there and cannot be had now. */
DeviceInfo *device_list(size_t *count);

/* --- buffers ------------------------------------------------------------------------------------------------------ */

/* Emulated and GPU buffers alike start at a multiple of 256 bytes. name (NULL, "": one is made up) is for messages. */
bool device_buffer(Device *device, ElemType type, size_t count, const char *name, Define define, Buffer *out, Err *err);
/* At an address of the caller's choice, on an emulator: addresses within what a program kept stay right then. A launch
 * may get to such a buffer by an address that is no argument, so every launch counts as reading and writing it. */
bool device_buffer_at(Device *device, uint64_t address, ElemType type, size_t count, const char *name, Define define,
					  Buffer *out, Err *err);
bool device_free(Device *device, Buffer buffer, Err *err);
bool device_define(Device *device, Buffer buffer, Define define, Err *err); /* redefines and fills */
bool device_upload(Device *device, Buffer buffer, size_t first, const void *elements, size_t count, Err *err);
bool device_download(Device *device, Buffer buffer, size_t first, void *elements, size_t count, Err *err);
/* The same elements, at most LOOK_BYTES of them, for a look: where they arrive, or in `room`. Theirs until the next
 * call on the device. NULL with err. */
const void *device_look(Device *device, Buffer buffer, size_t first, size_t count, void *room, Err *err);
/* A digest of the content, made where it lies: equal digests of one device are of equal contents, but for a chance of
 * 2^-100 (contents/digest.c). False where the content can be had as fast, and where it cannot be made. */
typedef struct {
	uint64_t sums[2];
} Digest;
bool device_digest(Device *device, Buffer buffer, Digest *out);
/* What it would be of this content. False if the system has no random numbers for the key. */
bool device_digest_of(Device *device, const void *content, size_t bytes, Digest *out);
typedef struct {
	char name[64];
	ElemType type;
	size_t count;
	bool stale;   /* its content was lost with a worker */
	bool mapped;  /* host memory that kernels reach over the link (transfer.h) */
	bool written; /* a kernel may have written to it since its definition */
} BufferInfo;
bool device_buffer_info(const Device *device, Buffer buffer, BufferInfo *out, Err *err);

/* --- textures and surfaces ---------------------------------------------------------------------------------------- */

/* A texture or a surface holds a copy of a buffer's content, laid out as the GPU likes it. The handle is a Buffer's and
 * serves device_free, device_buffer_info, device_download (all or a part) and ARG_BUFFER with offset 0: a kernel's
 * cudaTextureObject_t or cudaSurfaceObject_t. It survives a worker as buffers do. Types and counts of both must be
 * equal. */
bool device_texture(Device *device, const TextureDesc *desc, Buffer from, const char *name, Buffer *out, Err *err);
bool device_texture_update(Device *device, Buffer texture, Buffer from, Err *err); /* copies again */

/* --- modules and kernels ------------------------------------------------------------------------------------------ */

/* The device copies what it needs; compiled may be freed afterwards. */
bool device_load(Device *device, const Compiled *compiled, DeviceModule **out, Err *err);
void device_unload(Device *device, DeviceModule *module);
/* By the name asked of the compiler ("tile<33>") or a linked name. The kernel lives as long as its module. */
bool device_kernel(Device *device, DeviceModule *module, const char *name, DeviceKernel **out, Err *err);

bool device_kernel_info(Device *device, const DeviceKernel *kernel, KernelInfo *out, Err *err);
/* Says what the assembler makes of the kernel for one compute capability, for predictions and occupancy; without it an
 * estimate from the PTX is taken. registers 0: it is not known, and need not be asked for again. */
void device_kernel_assembled(DeviceKernel *kernel, Assembled assembled);
bool device_kernel_is_assembled(const DeviceKernel *kernel, uint32_t cc); /* it was said */
/* Type of parameter i as PTX declares it, for checking arguments; T_B64/T_U64 are pointers or 64-bit integers. */
PtxType device_kernel_param(const DeviceKernel *kernel, uint32_t i, size_t *bytes);
/* Whether the kernel may read or write through its parameter i: a pointer, or what holds one. */
void device_kernel_uses(const DeviceKernel *kernel, uint32_t i, bool *reads, bool *writes);
bool device_occupancy(Device *device, const DeviceKernel *kernel, uint32_t threads, size_t shared, Occupancy *out,
					  Err *err);

/* --- module variables --------------------------------------------------------------------------------------------- */

/* A __constant__ or __device__ variable at file scope. What was uploaded survives the worker and goes into every
 * emulated launch. What kernels wrote to one is lost with a worker: downloading it is ERR_FAULT then, until it is
 * uploaded again or a kernel has run; launches find what was uploaded last, or the initial value. */
typedef struct {
	char name[128]; /* as in the source: "weights", "lab::taps" */
	size_t bytes;
	PtxType type;  /* of a scalar, T_B8 of an array or a structure: PTX knows no more */
	bool constant; /* __constant__ */
	bool stale;
} SymbolInfo;
/* The number of a variable of the module, by its name in the source (namespaces may be left out where one name is
 * meant) or as linked. Variables that no kernel uses the compiler drops. */
bool device_symbol(const DeviceModule *module, const char *name, uint32_t *symbol, Err *err);
void device_symbol_info(const DeviceModule *module, uint32_t symbol, SymbolInfo *out);
bool device_symbol_upload(Device *device, DeviceModule *module, uint32_t symbol, size_t offset, const void *data,
						  size_t bytes, Err *err);
bool device_symbol_download(Device *device, DeviceModule *module, uint32_t symbol, size_t offset, void *data,
							size_t bytes, Err *err);
typedef struct ArgPointer ArgPointer;
/* Addresses of buffers in a variable, as device_upload_pointers writes them. What they refer to counts as passed to
 * every kernel of the module. */
bool device_symbol_upload_pointers(Device *device, DeviceModule *module, uint32_t symbol, const ArgPointer *pointers,
								   uint32_t n, Err *err);

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* A buffer's address among the bytes of a structure, or of another buffer. */
struct ArgPointer {
	size_t at; /* the first of its 8 bytes */
	Buffer buffer;
	size_t offset; /* in bytes, into the buffer */
};

/* Addresses of buffers as elements of 8 bytes: arrays of pointers. They stay right on every side and through a worker's
 * death, until other data is written there. */
bool device_upload_pointers(Device *device, Buffer buffer, const ArgPointer *pointers, uint32_t n, Err *err);

typedef enum { ARG_BUFFER, ARG_VALUE, ARG_BYTES } ArgKind;
typedef struct {
	ArgKind kind;
	Buffer buffer;
	size_t offset;        /* ARG_BUFFER: in bytes, into the buffer */
	uint8_t value[16];    /* ARG_VALUE: the bytes the parameter takes (device_kernel_param's size) */
	const uint8_t *bytes; /* ARG_BYTES: the same, as many as there are */
	const ArgPointer *pointers;
	uint32_t npointers;
} Arg;

typedef struct {
	DeviceKernel *kernel;
	LaunchConfig config;
	const Arg *args;
	uint32_t nargs;
} Launch;

typedef struct {
	LibraryRoutine routine;
	Buffer buffers[LIBRARY_BUFFERS]; /* as library.h names them: the first is written */
	uint64_t extents[LIBRARY_EXTENTS];
} LibraryCall;

typedef struct {
	LibraryCall library; /* routine LIBRARY_NONE: a launch */
	Launch launch;
} LaunchItem;

/* Items run in order on one stream, and are timed as one. */
typedef struct {
	const LaunchItem *items;
	uint32_t nitems;
	void (*print)(void *user, const char *text, size_t len); /* device printf; may be NULL: dropped */
	void *user;
} LaunchList;

/* The list of one launch that prints nothing; lives as long as the block it is in. */
#define LIST_OF(launch_) (&(const LaunchList){.items = &(const LaunchItem){.launch = *(launch_)}, .nitems = 1})

/* Whether the routine can be called here; false with err, which says what is missing. Loads the library at the first
 * call. */
bool device_has_library(Device *device, LibraryRoutine routine, Err *err);

/* --- the GPU's lock ----------------------------------------------------------------------------------------------- */

/* Of a device, here or elsewhere. False with err: interrupted, or the connection is gone. */
bool device_lock(Device *device, const LockWait *wait, GpuLock *out, Err *err);
void device_unlock(Device *device, GpuLock *lock);

/* --- the one way to ask ------------------------------------------------------------------------------------------- */

typedef struct {
	LaunchOutcome outcome; /* of the item that did not end well; else with the sum of all times */
	bool from_definitions; /* contents that were lost with a worker had to be replaced by the buffer's definition */
	Sample *samples;       /* MODE_TIME: [nsamples] if the outcome is LAUNCH_OK */
	uint32_t nsamples;
	ItemAnswer *items; /* emulated modes: [nitems] */
	uint32_t nitems;
	uint32_t order; /* the seed of the adversarial order that this is of; 0: the ordinary one, or none shows anything */
	Arena *arena;   /* where all of it is */
} Answer;

/* False with err for a list that cannot be run at all; the answer is untouched then. A launch that goes wrong is an
 * outcome. */
bool device_submit(Device *device, const LaunchList *list, const Ask *ask, Answer *answer, Err *err);
void answer_free(Answer *answer); /* one that is all zeros, too */
