/* What a backend does for a Device. Plain numbers and bytes only, so that proxy.c can send every call to a worker process,
 * which serves the same vtable over the wire (wire.h). device.c does everything that is the same for all: handles, definitions,
 * argument checking, replay. Every function returns false and fills err for a broken call or a lost backend (then alive is false
 * afterwards); launch problems travel in the outcome. Timeouts are resolved by then: config.timeout_ms is never 0. */
#ifndef GPULAB_DEVICE_BACKEND_H
#define GPULAB_DEVICE_BACKEND_H

#include "device/device.h"
#include "device/transfer.h"

typedef struct Backend Backend;

typedef struct {
	uint64_t module; /* backend's number */
	const char *linked_name;
	LaunchConfig config;
	const void *params; /* packed; buffer arguments already device addresses */
	const uint32_t *param_offsets, *param_sizes;
	uint32_t nparams;
	size_t param_bytes;
	void (*print)(void *user, const char *text, size_t len);
	void *user;
} BackendLaunch;

typedef struct {
	LibraryRoutine routine;
	uint64_t addrs[LIBRARY_BUFFERS]; /* of the first elements */
	uint64_t extents[LIBRARY_EXTENTS];
	uint64_t bytes; /* of each buffer: what memcpy copies */
	uint32_t timeout_ms;
} BackendCall;

typedef struct {
	BackendCall call; /* routine LIBRARY_NONE: a launch */
	BackendLaunch launch;
} BackendItem;

/* What a chunk takes of a pipeline's input and output, in bytes. */
typedef struct {
	size_t in_first, in_bytes, out_first, out_bytes;
} PipelineChunk;

typedef struct {
	Pipeline shape;
	const BackendLaunch *launches; /* [chunks] */
	const PipelineChunk *chunks;   /* [chunks] */
	uint64_t input, output;        /* of the first elements */
	size_t input_bytes, output_bytes;
} BackendPipeline;

typedef struct {
	const char *name; /* "emu", "cuda", "proxy" */
	void (*close)(Backend *b);
	bool (*info)(Backend *b, DeviceInfo *out, Err *err);
	bool (*alloc)(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err);
	bool (*free)(Backend *b, uint64_t addr, Err *err);
	bool (*upload)(Backend *b, uint64_t addr, const void *data, size_t bytes, Err *err);
	bool (*download)(Backend *b, uint64_t addr, void *data, size_t bytes, Err *err);
	bool (*fill)(Backend *b, uint64_t addr, uint8_t byte, size_t bytes, Err *err);
	/* Textures and surfaces; NULL: there are none. object is what a kernel takes. texture_copy: all texels, row by row, between the
	 * texture and plain memory of the device. */
	bool (*texture)(Backend *b, const TextureDesc *desc, const char *name, uint64_t *number, uint64_t *object,
					Err *err);
	bool (*texture_free)(Backend *b, uint64_t number, Err *err);
	bool (*texture_copy)(Backend *b, uint64_t number, uint64_t addr, bool into_texture, Err *err);
	bool (*load)(Backend *b, const Compiled *compiled, uint64_t *module, Err *err);
	bool (*unload)(Backend *b, uint64_t module, Err *err);
	/* A module's variable, by its linked name: its address is one that upload and download take. */
	bool (*symbol)(Backend *b, uint64_t module, const char *name, uint64_t *addr, size_t *bytes, Err *err);
	bool (*kernel_info)(Backend *b, uint64_t module, const char *linked_name, KernelInfo *out, Err *err);
	bool (*occupancy)(Backend *b, uint64_t module, const char *linked_name, uint32_t threads, size_t shared,
					  Occupancy *out, Err *err);
	/* A fault of kind FAULT_NONE: the backend was lost (its process died), which says nothing about the kernel. */
	bool (*launch)(Backend *b, const BackendLaunch *launch, LaunchOutcome *out, Err *err);
	bool (*sample)(Backend *b, const BackendItem *items, uint32_t nitems, const SampleConfig *config, Sample *samples,
				   LaunchOutcome *out, Err *err); /* NULL: cannot time */
	/* Both NULL: there are no library routines. has_library: false with err, which says what is missing. */
	bool (*has_library)(Backend *b, LibraryRoutine routine, Err *err);
	bool (*library)(Backend *b, const BackendCall *call, LaunchOutcome *out, Err *err);
	/* The bytes where they lie, at most LOOK_BYTES of them, until the next call; NULL: there is no such place, download. */
	const uint8_t *(*look)(Backend *b, uint64_t addr, size_t bytes, Err *err);
	void (*pin)(Backend *b, void *memory, size_t bytes); /* bulk data will come and go through it; NULL: no matter */
	bool (*alive)(Backend *b);             /* false: contents are gone; the device restarts it. NULL: always */
	bool (*restart)(Backend *b, Err *err); /* NULL: never needed. Addresses and module numbers start anew */
	/* Page-locked host memory at an address that kernels can use; free, upload, download and fill take it like any other. */
	bool (*alloc_mapped)(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err);
	/* Both NULL: cannot time. count up to COPY_SAMPLES. */
	bool (*copy)(Backend *b, const Copy *copy, uint32_t count, CopyTimes *out, Err *err);
	/* *begun: the output's old content is gone, whatever came of the rest; false before. Unless all went well the input is as it
	 * was, as long as the backend lives. */
	bool (*pipeline)(Backend *b, const BackendPipeline *pipeline, PipelineTimes *out, LaunchOutcome *outcome,
					 bool *begun, Err *err);
} BackendOps;

struct Backend {
	const BackendOps *ops;
};

bool backend_emu_open(const Gpu *gpu, Backend **out, Err *err);
/* Only on a backend that backend_emu_open made (backend_is_emu): a launch with observers. */
bool backend_is_emu(const Backend *b);
void backend_emu_track_fresh(Backend *b, uint64_t addr); /* machine_track_fresh */
struct Snapshot *backend_emu_snapshot(Backend *b);       /* snapshot_new */
bool backend_emu_observe(Backend *b, const BackendLaunch *launch, Observer **observers, size_t nobservers,
						 LaunchOutcome *out, Err *err);
bool backend_cuda_open(int ordinal, Backend **out, Err *err); /* only ever inside the worker */
/* Starts `gpulab --worker NAME`; the worker opens NAME ("cuda:0", or "emu:GTX 280" in tests of the wire) and serves it. */
bool backend_proxy_open(const char *name, Backend **out, Err *err);

#endif
