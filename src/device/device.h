/* A Device runs compiled kernels over buffers. The emulator and CUDA implement these functions, both in a worker
 * process; callers never check which: what a device cannot do is a capability bit (DeviceInfo.can), and its use is an
 * error with a message.
 * Ownership: a Device owns its buffers and modules; device_close frees them.
 * Failure: functions return false and fill Err, outputs stay untouched. A failed launch is not an Err but a
 * LaunchOutcome with its details. */
#ifndef GPULAB_DEVICE_DEVICE_H
#define GPULAB_DEVICE_DEVICE_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/values/elem.h" /* ElemType, elem_bytes, elem_name, elem_parse, elem_fill_* */
#include "compile/compile.h"
#include "device/library.h"
#include "emu/check/check.h"    /* Finding, CheckFlag */
#include "emu/count/counters.h" /* Counts, LineCounts */
#include "emu/count/nondeterminism.h"
#include "emu/count/reach.h"
#include "emu/count/touched.h"
#include "gpu/gpu.h"
#include "gpu/launch.h"
#include "gpu/texture.h"
#include "model/model.h" /* Prediction */

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

typedef enum {
	CAN_TIME = 1,    /* times kernels and copies; others can only be predicted for */
	CAN_EMULATE = 2, /* counts, checks and predicts itself; for others a shadow device does */
	CAN_LOCATE =
		4, /* reports every access out of bounds itself, with thread and line; others need guards and a replay */
	CAN_RESIZE_HEAP = 8, /* malloc's heap at any launch; others only before a kernel has used it */
	CAN_RUN_SASS = 16    /* runs cubins; for others PTX is enough */
} Capability;

typedef struct {
	char name[64];      /* as opened: "cuda:0", "emu:GTX 280" */
	char backend[8];    /* "cuda" or "emu" */
	char gpu_name[128]; /* "NVIDIA H200", "GTX 280" */
	uint32_t cc;
	uint32_t sms;
	size_t l2_bytes, memory_bytes;
	double clock_ghz, dram_gbps; /* datasheet or reported peak; 0 unknown */
	uint32_t threads_per_block;
	size_t shared_per_block, shared_per_sm;
	char bus[24];     /* the GPU's place on the machine's bus, the same in every process; "" on the emulator */
	char driver[32];  /* "580.159.04" or "13.0"; "" on the emulator */
	char runtime[32]; /* cudart's version; "" on the emulator */
	const Gpu *gpu;   /* the generation's data: of the emulated GPU; on cuda the record of the same name, or NULL */
	char without_gpu[240]; /* why the emulator stands in for "auto" although a driver is there, else "" */
	char share[48];        /* of a GPU that is not whole: "MIG slice 1g.10gb", "MPS" (gpu/share.h); "" */
	char place[96];        /* where its worker runs, if not here: "ssh:gpu4, on node4" */
	char sandbox[160];     /* which parts of its worker's sandbox are in force (wire/sandbox.h); "" not known yet */
	uint32_t can;          /* a set of Capability */
	uint32_t devices;      /* of this backend in the machine */
} DeviceInfo;

/* Opens by name: "cuda", "cuda:0", "emu", "emu:GTX 280". "auto": the first GPU, else the emulator. Opening "cuda" waits
 * for its worker and finds out what is there; ERR_SETUP says what is missing. An emulator's worker gets ready in the
 * background. "worker:NAME" is NAME served by whatever the worker of this program makes of it: for tests. */
bool device_open(const char *name, Device **out, Err *err);

/* A worker elsewhere: a command that reaches one there (ssh, srun), and what its queue is asked. The device copies what
 * it needs. */
typedef struct {
	const char *name;   /* as opened: "ssh:gpu4", "slurm:gpu" */
	const char *device; /* what the worker opens there: "cuda:0", "emu:H100" */
	const char *const
		*start; /* its standard input and output is the connection to `gpulab --worker gateway`; NULL at the end */
	const char *const *queue;  /* prints the names of waiting jobs, the first to start first; NULL: there is none */
	const char *const *cancel; /* takes the job back; NULL: ending `start` does */
	const char *const *pack;   /* prints this program's digest or archive (remote/send.h); NULL: it is not sent */
	const char *job;           /* its name in the queue */
	double warm_s;             /* a worker that nothing is asked of for so long ends */
	double wait_s;             /* for it to start, at most */
	const Gpu *gpu;            /* what is there, as far as known: then nothing is started before it is needed */
} DevicePlace;
bool device_open_place(const DevicePlace *place, Device **out, Err *err);

/* Called with what an operation waits for, as text for a person; NULL: it goes on. */
extern void (*device_waiting)(const char *text);

/* Asks for the worker of a place and returns at once. Any call that needs the worker waits for it, asked for or not. */
bool device_ask(Device *device, Err *err);
typedef struct {
	bool here;           /* nothing is waited for: there is a worker, or the device is no place */
	bool asked;          /* one was asked for and is not here yet; neither: none was asked for */
	double seconds;      /* since then */
	unsigned place, all; /* in the queue, from 1; 0: not known */
} DeviceAsked;
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

/* What a buffer holds before any kernel touched it, so that it can be made again after a worker died and for a
 * replay. */
typedef enum {
	DEFINE_SENTINEL, /* 0xff bytes: NaN, -1 */
	DEFINE_FILL,     /* every element is value */
	DEFINE_IOTA,     /* element i is value + i */
	DEFINE_RANDOM,   /* seeded; floats in [0, 1), integers over their range */
	DEFINE_DATA      /* uploaded; sentinel until then. A copy is kept where the device could lose its own */
} DefineKind;

typedef struct {
	DefineKind kind;
	double value;
	uint64_t seed;
} Define;

/* Emulated and GPU buffers alike start at a multiple of 256 bytes. name (NULL, "": one is made up) is for messages. */
bool device_buffer(Device *device, ElemType type, size_t count, const char *name, Define define, Buffer *out, Err *err);
bool device_free(Device *device, Buffer buffer, Err *err);
bool device_define(Device *device, Buffer buffer, Define define, Err *err); /* redefines and fills */
bool device_upload(Device *device, Buffer buffer, size_t first, const void *elements, size_t count, Err *err);
bool device_download(Device *device, Buffer buffer, size_t first, void *elements, size_t count, Err *err);
/* The same elements, at most LOOK_BYTES of them, for a look: where they arrive, or in `room`. Theirs until the next
 * call on the device. NULL with err. */
enum { LOOK_BYTES = 4 << 20 };
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

typedef struct {
	char name[128];
	uint32_t registers; /* per thread; on the emulator an estimate from the PTX */
	bool registers_estimated;
	size_t static_shared, local_bytes, const_bytes; /* shared per block, local per thread */
	uint32_t max_threads;                           /* per block for this kernel */
	uint32_t nparams;
} KernelInfo;
bool device_kernel_info(Device *device, const DeviceKernel *kernel, KernelInfo *out, Err *err);
/* Type of parameter i as PTX declares it, for checking arguments; T_B64/T_U64 are pointers or 64-bit integers. */
PtxType device_kernel_param(const DeviceKernel *kernel, uint32_t i, size_t *bytes);
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

/* Set from the SIGINT handler: every long operation of every device looks at it and stops. The caller clears it. */
extern atomic_bool device_cancel;

enum { DEVICE_TIMEOUT_GPU_MS = 10000 }; /* of gpulab's own kernels and copies */

/* Whether the routine can be called here; false with err, which says what is missing. Loads the library at the first
 * call. */
bool device_has_library(Device *device, LibraryRoutine routine, Err *err);

/* --- the one way to ask ------------------------------------------------------------------------------------------- */

/*     run      run the items one after the other and stop at the first that does not end well. On a GPU a fault is
 * replayed on the shadow device to find the thread and the line, and a kernel that wrote just outside a buffer is found
 * out by guard bytes around it: the GPU itself notices only accesses far outside. time     samples of all items as one;
 * needs CAN_TIME count    run them on the emulator with counters, and models predicting check    run them on the
 * emulator with checkers predict  run them on the emulator with models alone
 *
 * The emulated modes work on every device. Where it cannot emulate itself a shadow device does it, filled from the
 * present contents of the buffers that the kernels may read, and the device's own buffers stay as they are; module
 * variables hold what they hold on the device, but for those with addresses in them. On an emulator the buffers hold
 * afterwards what the launches wrote. A list with a library routine cannot be emulated (ERR_SETUP). */
typedef enum { MODE_RUN, MODE_TIME, MODE_COUNT, MODE_CHECK, MODE_PREDICT, MODES } SubmitMode;

typedef struct {
	uint32_t count; /* samples wanted */
	bool flush_l2;  /* twice the L2's size of other data is read before each: cold */
	uint32_t batch; /* how often the items are run per sample, 1 normally; the sample is the mean */
	bool graph;     /* the batch as one CUDA graph, where the driver can make one of it */
} SampleConfig;

typedef struct {
	double milliseconds; /* between two events around the items, less overhead_ms */
	double clock_ghz;    /* SM clock seen in the stream during the sample; 0 unknown */
	double overhead_ms;  /* what two events report with nothing between them, the stream in the same state */
	double launch_ms;    /* what a launch that does nothing takes; it is in milliseconds. 0: not known */
	double temperature;  /* of the GPU, °C; 0: not known */
	bool as_graph;
} Sample;

typedef struct {
	SubmitMode mode;
	SampleConfig sampling;    /* MODE_TIME */
	const Gpu *rules;         /* MODE_COUNT: by whose rules is counted */
	const Gpu *const *models; /* MODE_COUNT, MODE_PREDICT: [nmodels] */
	uint32_t nmodels;
	bool count_only; /* models without the replay of blocks (model_count_only) */
	uint64_t follow; /* with models: the timeline of a block by the first, too: its number + 1; 0: none */
	unsigned checks; /* MODE_CHECK: a set of CheckFlag */
	/* MODE_CHECK: adversarial orders of blocks and warps, seeds 1 to orders, that the list also runs in, from the same
	 * contents; what the kernels write there is put back. A list with a schedule of its own runs in that one only. */
	uint32_t orders;
	bool reach;   /* MODE_COUNT: also what the launch reached */
	bool touched; /* MODE_CHECK: also which bytes of global memory each item touched */
	/* Emulated modes: on an emulator too, what the kernels wrote is put back. It is still noted as written, but by a
	 * check. */
	bool rehearse;
} Ask;

/* Of one item of an emulated list. An item that did not come to run has zeros. */
typedef struct {
	Counts total;      /* MODE_COUNT */
	Reach reach;       /* MODE_COUNT, if asked for */
	Counts busiest;    /* with reach: each count of the block that has most of it */
	LineCounts *lines; /* MODE_COUNT: by source line, in order of file and number */
	uint32_t nlines;
	Nondeterminism *nondeterminism; /* MODE_COUNT: why a GPU, or another order, could count otherwise */
	uint32_t nnondeterminism;
	Prediction *predictions; /* one for each model asked */
	uint32_t npredictions;
	Finding *findings; /* MODE_CHECK: by check, file and line */
	uint32_t nfindings;
	Touched *touched; /* MODE_CHECK, if asked for: by address; none where there are too many pieces */
	uint32_t ntouched;
	ReplayEvent *timeline; /* of the first model, if asked for; instr: the line, 0 unknown */
	uint32_t ntimeline, timeline_block;
} ItemAnswer;

typedef struct {
	LaunchOutcome outcome; /* of the item that did not end well; else with the sum of all times */
	bool from_definitions; /* contents that were lost with a worker had to be replaced by the buffer's definition */
	Sample *samples;       /* MODE_TIME: [nsamples] if the outcome is LAUNCH_OK */
	uint32_t nsamples;
	ItemAnswer *items; /* emulated modes: [nitems] */
	uint32_t nitems;
	uint32_t
		order; /* MODE_CHECK: the findings are of this order, and the ordinary one has none; 0: of the ordinary one */
	Arena *arena; /* where all of it is */
} Answer;

/* False with err for a list that cannot be run at all; the answer is untouched then. A launch that goes wrong is an
 * outcome. */
bool device_submit(Device *device, const LaunchList *list, const Ask *ask, Answer *answer, Err *err);
void answer_free(Answer *answer); /* one that is all zeros, too */

#endif
