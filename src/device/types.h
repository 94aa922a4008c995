/* What a device and a backend say to each other, as plain values: all that a backend knows of the device above it
 * (backend/backend.h), and a part of what callers of a device use (device.h). */
#pragma once

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
#include "gpu/host_link.h"
#include "gpu/launch.h"
#include "gpu/texture.h"
#include "model/model.h" /* Prediction */

/* --- attention ---------------------------------------------------------------------------------------------------- */

/* Called with what an operation waits for, as text for a person; NULL: it goes on. */
extern void (*device_waiting)(const char *text);

enum { DEVICE_TIMEOUT_GPU_MS = 10000 }; /* of gpulab's own kernels and copies */

/* --- devices ------------------------------------------------------------------------------------------------------ */

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
	char share[48];        /* of a GPU that is not whole: "MIG slice 1g.10gb", "MPS" (gpu/partial_gpu.h); "" */
	char place[96];        /* where its worker runs, if not here: "ssh:gpu4, on node4" */
	char sandbox[160];     /* which parts of its worker's sandbox are in force (wire/sandbox.h); "" not known yet */
	uint32_t can;          /* a set of Capability */
	uint32_t devices;      /* of this backend in the machine */
} DeviceInfo;

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

/* Of a worker that may be long in coming. */
typedef struct {
	bool here;           /* nothing is waited for: there is a worker, or the device is no place */
	bool asked;          /* one was asked for and is not here yet; neither: none was asked for */
	double seconds;      /* since then */
	unsigned place, all; /* in the queue, from 1; 0: not known */
} DeviceAsked;

/* --- contents ----------------------------------------------------------------------------------------------------- */

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

enum { LOOK_BYTES = 4 << 20 }; /* the most that one look gives */

/* --- kernels ------------------------------------------------------------------------------------------------------ */

typedef struct {
	char name[128];
	uint32_t registers; /* per thread; on the emulator an estimate from the PTX */
	bool registers_estimated;
	size_t static_shared, local_bytes, const_bytes; /* shared per block, local per thread */
	uint32_t max_threads;                           /* per block for this kernel */
	uint32_t nparams;
} KernelInfo;

/* --- questions about launches, and answers ------------------------------------------------------------------------ */

/* What a list of launches is asked (device.h, device_submit):
 *
 *     run      run the items one after the other and stop at the first that does not end well. On a GPU a fault is
 *              replayed on the shadow device to find the thread and the line, and a kernel that wrote just outside a
 *              buffer is found out by guard bytes around it: the GPU itself notices only accesses far outside
 *     time     samples of all items as one; needs CAN_TIME
 *     count    run them on the emulator with counters, and models predicting
 *     check    run them on the emulator with checkers
 *     predict  run them on the emulator with models alone
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
	/* Adversarial orders of blocks and warps: so many seeds in turn (ask/orders.h), each from the same contents.
	 * MODE_CHECK: besides the ordinary one; a list with a schedule of its own runs in that one only. MODE_RUN: the
	 * list is run in the ordinary order and in these, to find one that ends differently or leaves something else; no
	 * results stay. */
	uint32_t orders;
	uint32_t first_order; /* the first seed, 0: 1 */
	bool reach;           /* MODE_COUNT: also what the launch reached */
	bool touched;         /* MODE_CHECK: also which bytes of global memory each item touched */
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

/* --- copies between host and GPU ---------------------------------------------------------------------------------- */

enum { COPY_SAMPLES = 100 };        /* the most at once */
enum { COPY_MOST_BYTES = 1 << 30 }; /* pinned memory is taken from the whole machine */

typedef struct {
	CopyDirection direction;
	HostMemory memory;
	size_t bytes; /* 1 to COPY_MOST_BYTES */
} Copy;

typedef struct {
	double milliseconds[COPY_SAMPLES];
	bool host_clock; /* by the host's clock: events see only part of a pageable copy */
	/* How one core of the host gets on with this memory: host_bytes of it written in turn, and read in turn. */
	double host_write_ms, host_read_ms;
	size_t host_bytes;
} CopyTimes;

typedef struct {
	double milliseconds;             /* from the first operation's begin to the last one's end */
	Span spans[3 * PIPELINE_CHUNKS]; /* in the order of issue */
} PipelineTimes;
