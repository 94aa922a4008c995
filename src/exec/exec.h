/* Runs a CUDA program on an emulated GPU, unmodified. The program is a child process with its own output, input and
 * exit status. Its calls of the CUDA runtime reach a library of ours (exec/runtime), which takes the PTX out of the
 * program and sends what concerns the device over a socket (exec/calls.h) to this process, where exec_run serves it
 * with an emulator's worker:
 *
 *     ./program ── libcudart of ours ──socket──> gpulab: exec_run ──wire──> gpulab --worker emu
 *         └────────────── memory of the device's buffers, mapped by all three ─────────┘
 *
 * Processes that the program starts and forks have a connection, a worker, and memory of their own (exec/session.h).
 *
 * The program may be linked with libcudart.so (CUDA 12 or 13), or contain the static runtime, which is nvcc's default:
 * its functions are then redirected to ours, by their names in the program's symbol table (runtime/redirect.c). */
#pragma once

#include "base/str.h"
#include "device/device.h"
#include "device/step.h"
#include "emu/count/fused.h"
#include "exec/calls.h"
#include "exec/kept.h"

/* One launch of the program. Valid during the call that gets it. */
typedef struct {
	uint64_t number;    /* from 1 on */
	const char *kernel; /* as linked */
	char *name;         /* as in the source, without template arguments and parameters */
	const LaunchConfig *config;
	const Gpu *gpu;
	const LaunchOutcome *outcome;
	const ItemAnswer *answer; /* NULL in MODE_RUN */
	bool host_memory;         /* an argument points to managed or pinned memory */
	bool refused_by_call;     /* and not by the device: the call that fails says why */
	const Fused *fused;       /* of a kernel's first launch, where the program has SASS for the GPU; else NULL */
	Kept *kept;               /* with ExecOptions.keeps: its kernel and inputs, kept_share keeps them; else NULL */
	const char *why_not_kept; /* why it has no inputs; "": it has them */
	const Str *printed;       /* by the kernel, where launches are kept: the beginning */
} ExecLaunch;

/* A launch that is about to begin; outcome and answer are NULL. */
typedef struct {
	ExecLaunch launch;
	const char *ptx; /* of its module */
	Stepping *stepping;
} ExecStepped;

/* A call of the runtime that failed, valid during the call that gets it. Texts are the program's. */
typedef struct {
	ExecCall by;
	uint64_t process, number; /* a failure is known by both */
	const char *error, *cause;
} ExecFailed;

/* A call of the runtime that allocated memory, which messages call "KIND NUMBER". */
typedef struct {
	ExecCall by;
	const char *kind; /* "cudaMalloc", "cudaMallocManaged", "cudaMallocHost" */
	uint64_t number;  /* of its kind, in all processes, from 1 */
} ExecAllocated;

/* One that freed it. */
typedef struct {
	ExecCall by;
	const char *buffer; /* the allocation's name */
} ExecFreed;

/* A call of the runtime that wrote a part of an allocation alone; of its second call, it is known only that there was
 * one. */
typedef struct {
	ExecCall by;
	const char *buffer; /* the allocation's name */
	uint64_t offset, bytes, all;
} ExecFilled;

/* What a checker found in a copy, a fill, or an allocation of a stream. */
typedef struct {
	ExecCall by;
	const Finding *finding;
} ExecFound;

/* Host code used memory before it waited for the kernel or copy; or, with what "", memory of the device, or freed. */
typedef struct {
	ExecCall by;
	const char *what; /* the kernel as in the source, or "an asynchronous copy" */
	/* The GPU's name, if it is managed memory and the GPU has that to itself while a kernel runs; else NULL. */
	const char *alone;
	const char *buffer; /* the allocation's name */
	int64_t offset;     /* below 0: of what free and delete read before the memory that they get */
	bool writes;
} ExecEarlyUse;

/* A call of the runtime that copied bytes to the host which nothing wrote. */
typedef struct {
	ExecCall by;
	const char *buffer; /* the allocation's name */
	uint64_t bytes;     /* that were copied, as rows */
	uint64_t width;
	Unwritten unwritten;
	/* The last kernel that was given the allocation; NULL: none was. */
	const char *kernel; /* as in the source */
	const LaunchConfig *config;
	uint32_t element;    /* bytes of what its parameter points to; 0: a structure, or not known */
	const char *refused; /* a kernel whose launch with it, after that one, was refused; NULL: none was */
} ExecUnwritten;

/* Bytes that host code which is confined moved by a call: between host and device; copies on the device are two. */
typedef struct {
	ExecCall by;
	uint64_t bytes;
	bool from_host, to_host;
	bool fills;         /* neither: with one value */
	const char *digest; /* of the bytes; of a fill, of none */
} ExecCopied;

/* The program looked at a failure. */
typedef struct {
	uint64_t process, number;
} ExecSeen;

/* What happens while a program runs, and what comes with it. */
typedef enum {
	EXEC_LAUNCHED,  /* ExecLaunch */
	EXEC_FOUND,     /* ExecFound; in MODE_CHECK: not in a launch, but by another call */
	EXEC_FAILED,    /* ExecFailed */
	EXEC_SEEN,      /* ExecSeen */
	EXEC_ALLOCATED, /* ExecAllocated */
	EXEC_FREED,     /* ExecFreed; in MODE_CHECK */
	EXEC_TIMED,     /* NULL: the program gets a time that is the emulator's own */
	EXEC_EARLY,     /* ExecEarlyUse; in MODE_CHECK, with the race checker */
	EXEC_UNWRITTEN, /* ExecUnwritten; in MODE_CHECK, with the init checker */
	EXEC_FILLED,    /* ExecFilled; in MODE_CHECK, with the init checker */
	EXEC_COPIED,    /* ExecCopied; with ExecOptions.copies and .confined */
	EXEC_BEGINS,    /* ExecLaunch, before it runs; the answer: is it to be stepped? */
	EXEC_STEPPED, /* ExecStepped: it is. Who takes the stepping leaves NULL, and closes it before the event is over; the
	                 * launch then runs from its beginning as any other */
	EXEC_EVENTS
} ExecEvent;

typedef struct {
	const char *program; /* path */
	bool cuda_12;        /* it is linked with libcudart.so.12 */
	char *const *argv;   /* NULL-terminated; [0]: as the program sees its name */
	const Gpu *gpu;
	SubmitMode mode;    /* MODE_RUN, MODE_COUNT, MODE_CHECK or MODE_PREDICT */
	unsigned checks;    /* MODE_CHECK: a set of CheckFlag */
	bool crowded;       /* the launches: in these orders */
	uint32_t schedules; /* MODE_CHECK: how many adversarial orders each launch is checked in besides the ordinary one */
	uint32_t streams;   /* the seed of an order of what streams are given, among those that CUDA allows; 0: as called */
	bool keeps;         /* launches come with their inputs (kept.h) */
	bool confined;      /* the host code is judged: it gets no mapping of the device's memory, and what it copies by
	                     * calls is what EXEC_COPIED tells */
	const Gpu *const *models; /* MODE_COUNT, MODE_PREDICT: [nmodels]; the first one's time is what events measure */
	uint32_t nmodels;
	bool (*event)(void *user, ExecEvent event, const void *what);
	bool steps;  /* launches may be stepped: EXEC_BEGINS, EXEC_STEPPED */
	bool copies; /* EXEC_COPIED is told, of host code that is confined */
	void *user;
} ExecOptions;

typedef struct {
	int status;     /* as waitpid reports it */
	bool connected; /* it used the CUDA runtime */
	bool taken;     /* it copied from the device to the host, or both had the same memory */
	uint64_t launches;
	uint64_t allocations[3];         /* by kind */
	uint64_t unfreed, unfreed_bytes; /* allocations that were there at its end */
	char missing[512];               /* the function or feature that ended a process of it; "" if none */
	char stopped[512];               /* a sentence: what else ended one; "" if nothing did */
} ExecResult;

/* Returns when the program has ended, with what it forked. False with err: it could not be started. */
bool exec_run(const ExecOptions *options, ExecResult *result, Err *err);
