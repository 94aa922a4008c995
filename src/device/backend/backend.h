/* What a backend does for a Device: calls of plain numbers and bytes, each described once. BACKEND_CALLS is that
 * description: name, request, answer. It makes the table of functions a backend fills in, the calls a Device makes, the
 * messages of the proxy, and what the worker serves (messages.c has the fields). What a backend does not do is NULL
 * there and an error here.
 *
 * Everything that is the same for all backends (handles, definitions, argument checking, replay) is above, in
 * src/device. Every function returns false and fills err for a call that makes no sense or a backend that was lost
 * (then alive is false afterwards); problems of a launch travel in its outcome. Timeouts are resolved by then:
 * config.timeout_ms is never 0. */
#pragma once

#include "base/arena.h"
#include "base/values/member.h"
#include "device/types.h"
#include "emu/machine/written.h"
#include "emu/step/step.h"

typedef struct Backend Backend;

/* --- requests and answers ----------------------------------------------------------------------------------------- */

typedef struct {
	char none;
} Nothing;

typedef struct {
	uint64_t value;
} Number; /* an address, a module's or a texture's number */

typedef struct {
	uint64_t bytes;
	const char *name; /* for messages */
	bool mapped;      /* host memory that kernels reach over the link */
	uint64_t again;   /* the address it had in a worker that died, whose contents are still there; 0: a new one */
	uint64_t shared;  /* where in the memory shared with the worker it is; NOT_SHARED: in the backend's own */
	bool track;       /* an emulator's: it knows which of its bytes were written, so far none. With `again` also where
					   * the sharing process writes without saying so */
} Alloc;
#define NOT_SHARED UINT64_MAX

typedef struct {
	uint64_t addr, bytes;
	uint8_t byte;
} Fill;

/* data NULL: the sharing process has already written them. */
typedef struct {
	uint64_t addr, bytes;
	const void *data;
} Upload;

typedef struct {
	uint64_t addr, bytes;
	void *data;
} Download;

/* Rows were copied by the sharing process: which bytes count as written goes with them. An address of 0 is memory that
 * is not the backend's. Copies to there are answered with what nothing wrote, in bytes of the rows together. */
typedef struct {
	uint64_t to, from, to_pitch, from_pitch, width, rows;
} Moved;
enum { MOST_GAPS = 1024 };
typedef struct {
	uint64_t bytes;
	Gap *gaps; /* the first of them */
	uint32_t ngaps;
} Unwritten;

typedef struct {
	uint64_t addr, count;
	ElemType type;
	Define define; /* of the whole: the first element is element 0 */
} DefineElements;

typedef struct {
	TextureDesc desc;
	const char *name;
} TextureRequest;
typedef struct {
	uint64_t number, object; /* object: what a kernel takes */
} TextureMade;
/* All texels, row by row, between a texture and plain memory of the device. */
typedef struct {
	uint64_t number, addr;
	bool into_texture;
} TextureCopy;

typedef struct {
	const char *cubin; /* NULL: none */
	size_t cubin_bytes;
	const char *ptx;
	uint32_t cc;         /* the cubin's */
	bool keep_registers; /* an emulator's: for stepping */
	bool by_sass;        /* an emulator's: widths of accesses and registers are those of the cubin */
} ModuleCode;

typedef struct {
	uint64_t module;
	const char *name; /* linked */
} SymbolRequest;
typedef struct {
	uint64_t addr; /* one that upload and download take */
	uint64_t bytes;
} SymbolPlace;

typedef struct {
	uint64_t module;
	const char *name;   /* linked */
	uint32_t threads;   /* per block; of no meaning for kernel_info */
	uint64_t shared;    /* dynamic bytes per block; likewise */
	uint32_t registers; /* as the assembler gives them; 0: not known */
} KernelRequest;

typedef struct {
	uint32_t offset, size; /* in the packed parameters */
} ParamPlace;

typedef struct {
	uint64_t module;
	const char *linked_name;
	LaunchConfig config;
	const void *params; /* packed; buffer arguments already device addresses */
	size_t param_bytes;
	const ParamPlace *places; /* [nparams] */
	uint32_t nparams;
	const Assembled *assembled; /* [nassembled] for an emulator */
	uint32_t nassembled;
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

typedef struct {
	LibraryRoutine routine;
} LibraryRequest;

/* One question about a list of items (device.h), which is asked in one order, and of all of it. */
typedef struct {
	Ask ask;
	const BackendItem *items;
	uint32_t nitems;
	const Number *fresh; /* MODE_CHECK: buffers nothing was written to so far */
	uint32_t nfresh;
	const Gap *written; /* but for these bytes of them, by address */
	uint32_t nwritten;
	const Number *restore; /* buffers and textures to put back afterwards */
	uint32_t nrestore;
} Submission;

typedef struct {
	LaunchOutcome outcome; /* FAULT_NONE in a fault: the backend was lost, which says nothing about the kernel */
	Sample *samples;       /* MODE_TIME */
	uint32_t nsamples;
	ItemAnswer *items; /* MODE_COUNT, MODE_CHECK, MODE_PREDICT */
	uint32_t nitems;
	uint64_t left[2]; /* with `restore`: a digest of what the launches left there, before it was put back */
	bool lives;       /* the backend works on */
} Report;

/* A launch that is stepped (emu/step/step.h); one at a time. */
typedef struct {
	BackendLaunch launch;
} StepOpen;
typedef struct {
	bool open;
	LaunchOutcome refused; /* not open: why */
	StepPlace *places;
	uint32_t nplaces;
} StepOpened;
typedef struct {
	const char *text; /* postfix */
} StepExpression;
typedef struct {
	const StepExpression *expressions;
	uint32_t nexpressions;
} StepRead;
typedef struct {
	StepValue *values;
	uint32_t nvalues;
} StepValues;

typedef struct {
	Copy copy;
	uint32_t count; /* up to COPY_SAMPLES */
} CopyRequest;

/* What a chunk takes of a pipeline's input and output, in bytes. */
typedef struct {
	size_t in_first, in_bytes, out_first, out_bytes;
	BackendLaunch launch;
} PipelineChunk;

typedef struct {
	Pipeline shape;
	const PipelineChunk *chunks; /* [nchunks], shape.chunks of them */
	uint32_t nchunks;
	uint64_t input, output; /* of the first elements */
	size_t input_bytes, output_bytes;
} BackendPipeline;

typedef struct {
	PipelineTimes times;
	LaunchOutcome outcome;
	Err failed; /* kind ERR_NONE: it went to its end, see outcome */
	bool begun; /* the output's old contents are gone, whatever came of the rest */
	bool lives;
} PipelineReport;

/* --- the calls ---------------------------------------------------------------------------------------------------- */

/* A worker is asked these as they come; for the others the proxy has memory or time to see to. */
#define BACKEND_PLAIN_CALLS(X)                                                                                         \
	X(moved, Moved, Unwritten)                                                                                         \
	X(fill, Fill, Nothing)                                                                                             \
	X(texture, TextureRequest, TextureMade)                                                                            \
	X(texture_free, Number, Nothing)                                                                                   \
	X(texture_copy, TextureCopy, Nothing)                                                                              \
	X(load, ModuleCode, Number)                                                                                        \
	X(unload, Number, Nothing)                                                                                         \
	X(symbol, SymbolRequest, SymbolPlace)                                                                              \
	X(kernel_info, KernelRequest, KernelInfo)                                                                          \
	X(occupancy, KernelRequest, Occupancy)                                                                             \
	X(has_library, LibraryRequest, Nothing)                                                                            \
	X(step_open, StepOpen, StepOpened)                                                                                 \
	X(step_go, StepGo, StepMoment)                                                                                     \
	X(step_read, StepRead, StepValues)                                                                                 \
	X(step_close, Nothing, Nothing)                                                                                    \
	X(copy, CopyRequest, CopyTimes)

#define BACKEND_MEMORY_CALLS(X)                                                                                        \
	X(alloc, Alloc, Number)                                                                                            \
	X(free, Number, Nothing)

#define BACKEND_CALLS(X)                                                                                               \
	BACKEND_PLAIN_CALLS(X)                                                                                             \
	BACKEND_MEMORY_CALLS(X)                                                                                            \
	X(submit, Submission, Report)                                                                                      \
	X(pipeline, BackendPipeline, PipelineReport)

typedef struct {
	const char *name; /* "emu", "cuda", "proxy" */
	void (*close)(Backend *b);
	bool (*info)(Backend *b, DeviceInfo *out, Err *err);
#define X(name, Request, Answer) bool (*name)(Backend * b, const Request *request, Answer *answer, Err *err);
	BACKEND_CALLS(X)
#undef X
	/* Elements made where the memory is; NULL: they are made here and uploaded. */
	bool (*define)(Backend *b, const DefineElements *request, Err *err);
	/* The GPU's lock where the GPU is; NULL: here (measure/lock.h). `without` says why it could not be taken. */
	bool (*lock)(Backend *b, double *waited_s, char *without, size_t size, Err *err);
	void (*unlock)(Backend *b);
	/* Bulk data. */
	bool (*upload)(Backend *b, const Upload *request, Err *err);
	bool (*download)(Backend *b, const Download *request, Err *err);
	/* The bytes where they are, until the next call; NULL: there is no such place, download. */
	uint8_t *(*view)(Backend *b, uint64_t addr, size_t bytes);
	const uint8_t *(*look)(Backend *b, uint64_t addr, size_t bytes, Err *err); /* at most LOOK_BYTES */
	void (*pin)(Backend *b, void *memory, size_t bytes); /* bulk data will come and go through it */
	bool (*alive)(Backend *b);                           /* false: contents are gone. NULL: always */
	/* Starts again from nothing: addresses and modules are gone. *kept: contents of buffers that are allocated with
	 * `again` are as they were. NULL: never needed. */
	bool (*restart)(Backend *b, bool *kept, Err *err);
	/* A worker that may be long in coming (a queue): asked for, looked for, taken back, without waiting; device.h says
	 * more. NULL: it is always here. */
	bool (*ask)(Backend *b, Err *err);
	bool (*asked)(Backend *b, DeviceAsked *out, Err *err);
	void (*take_back)(Backend *b);
} BackendOps;

/* Rows of a BackendOps: BACKEND_OPS(emu, alloc, free) has emu_alloc as alloc. */
#define BACKEND_OP(PREFIX, NAME) .NAME = PREFIX##_##NAME
#define BACKEND_OPS(PREFIX, ...) EACH_OF(BACKEND_OP, PREFIX, __VA_ARGS__)

/* Where a backend turns during a call. */
typedef struct {
	void (*print)(void *user, const char *text, size_t len); /* what kernels print; NULL: dropped */
	void (*progress)(void *user);                            /* the call is getting on; NULL: no matter */
	void (*look)(void *user);                                /* a proxy waits: about every 20 ms; NULL: no matter */
	void *user;
	const atomic_bool *cancel; /* set: end early; NULL: never */
} BackendEvents;

struct Backend {
	const BackendOps *ops;
	BackendEvents events;
	bool shares;  /* buffers are in memory of this process, too: they have a view, and outlive the backend's worker */
	Arena *arena; /* for the lists of an answer; the caller sets it before, and owns it */
};

bool backend_lacks(const char *what, Err *err); /* returns false */

#define X(name, Request, Answer)                                                                                       \
	static inline bool backend_##name(Backend *b, Request request, Answer *answer, Err *err) {                         \
		Answer none;                                                                                                   \
		return b->ops->name ? b->ops->name(b, &request, answer ? answer : &none, err) : backend_lacks(#name, err);     \
	}
BACKEND_CALLS(X)
#undef X

static inline bool backend_upload(Backend *b, uint64_t addr, const void *data, size_t bytes, Err *err) {
	return b->ops->upload(b, &(Upload){addr, bytes, data}, err);
}
static inline bool backend_download(Backend *b, uint64_t addr, void *data, size_t bytes, Err *err) {
	return b->ops->download(b, &(Download){addr, bytes, data}, err);
}
static inline uint8_t *backend_view(Backend *b, uint64_t addr, size_t bytes) {
	return b->ops->view ? b->ops->view(b, addr, bytes) : NULL;
}
static inline bool backend_alive(Backend *b) {
	return !b->ops->alive || b->ops->alive(b);
}

/* --- opening one -------------------------------------------------------------------------------------------------- */

/* "emu:GTX 280" of any GPU known as data: known without a process. */
DeviceInfo emu_info(const Gpu *gpu);
/* Only ever inside the worker. shared: memory that both sides map, or NULL. */
bool backend_emu_open(const Gpu *gpu, uint8_t *shared, size_t shared_bytes, Backend **out, Err *err);
bool backend_cuda_open(int ordinal, Backend **out, Err *err);
/* Starts `gpulab --worker NAME`. gpu: of an emulator, else NULL. An emulator's worker is not waited for. */
bool backend_proxy_open(const char *name, const Gpu *gpu, Backend **out, Err *err);
/* The CUDA runtime that this program was built with: "13.0". */
void backend_toolkit(char *out, size_t size);
/* "emu", "emu:GTX 280", "cuda:0"; "worker:NAME" for tests. *gpu: what an emulator emulates, else NULL. */
bool backend_named_open(const char *name, Backend **out, const Gpu **gpu, Err *err);
/* A worker elsewhere. It is started when it is first needed. */
bool backend_remote_open(const DevicePlace *place, Backend **out, Err *err);

/* The memory that an emulator of backend_proxy_open has its buffers in, for a third process to map. backend_view's
 * pointers are into it. */
typedef struct {
	int descriptor;
	uint64_t at;          /* of its first byte, in what the descriptor is of */
	const uint8_t *bytes; /* mapped here */
	uint64_t size;
} BackendPool;
BackendPool backend_proxy_pool(const Backend *b);
