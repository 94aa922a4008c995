/* What the runtime in the program asks of gpulab: frames and records (wire/), like a worker's but with the program as
 * the one who asks, and with a backend's messages (device/backend/) wherever it is a backend that answers. The list
 * makes the numbers, the names, and the table that serves them; calls.c has the fields of the other records. The
 * program is not trusted: every field is checked when it is read, and every address when it is used. */
#pragma once

#include "device/backend/messages.h"

/* The environment variable for the runtime in the program: "NAME,INODE". NAME is where each process of the program
 * connects (wire/join.h) when it first uses CUDA; a process that was forked before has a connection of its own.
 * EXEC_LIFE is a descriptor of the first process alone, known by its INODE: gpulab waits until no process has it. */
#define EXEC_VARIABLE "GPULAB_EXEC"
/* Set to anything: the program may only compute, from before its first instruction on (sandbox_program_plan). */
#define EXEC_CONFINED "GPULAB_EXEC_CONFINED"
enum { EXEC_LIFE = 3 };
enum { EXEC_ENDED = 5 }; /* the status of a process that the runtime ends */

enum { EXEC_MOST_PARAMS = 4096 };

/* Managed and pinned memory is at the same address in the program and on the device: from here on. */
#define EXEC_MANAGED UINT64_C(0x020000000000)
#define EXEC_GRAPHS UINT64_C(0x028000000000) /* memory of the device that graphs allocate */
#define EXEC_DEVICE_FIRST UINT64_C(0x010000000000)
enum { EXEC_HEADER = 16 }; /* bytes before what malloc gave, of which free reads some */
#define EXEC_DEVICE_END UINT64_C(0x030000000000)

/* The device, and where its memory is. */
typedef struct {
	const Gpu *gpu;
	uint64_t pool_at, pool_bytes; /* of the memory that both map: the part that holds buffers */
	bool check;                   /* launches are checked */
	bool early;                   /* the host's use of memory before it waits is to be reported */
	bool moves;                   /* copies and fills are to be told */
	bool predict;                 /* launches answer with a predicted time */
	bool steps;                   /* launches may be stepped: Ctrl-C during one is gpulab's */
	uint64_t streams;             /* the seed of an order of what streams are given; 0: at once */
} ExecFacts;

typedef struct {
	uint64_t addr;
	uint64_t at; /* in the pool */
} ExecPlace;

typedef struct {
	KernelInfo info;
	uint32_t target; /* of the PTX: 80 for compute_80 */
	uint64_t param_bytes;
	ParamPlace *params;
	uint32_t nparams;
} ExecKernel;

typedef struct {
	uint64_t addr;
	const void *data;
	size_t bytes;
} ExecWrite;

typedef struct {
	uint64_t addr, bytes;
	uint64_t value;
	uint32_t width; /* bytes of the value */
} ExecFill;

typedef struct {
	LaunchStatus status;
	FaultKind fault;
	double milliseconds;
	bool lives; /* the device works on */
	/* By address: what the kernel touched of memory that host code may have, too; none where the two can order each
	 * other. */
	const Touched *touched;
	uint32_t ntouched;
} ExecEnded;

/* A launch that the runtime refuses by itself, and why. */
typedef struct {
	BackendLaunch launch;
	const char *why;
} ExecRefused;

/* Why the runtime ends the process: a sentence, or what is missing. */
typedef struct {
	const char *text;
	bool missing;
} ExecText;

/* A call of the runtime: its name, the file of the code that made it, and the addresses there, the innermost first. ""
 * or none: not known. */
enum { EXEC_MOST_PLACES = 6 };
typedef struct {
	const char *call, *object;
	const Number *places;
	uint32_t nplaces;
} ExecCall;

/* It allocates; `again` is the address that it is to have, 0: any. variable: a managed one, as linked; or NULL. */
typedef struct {
	ExecCall by;
	uint64_t bytes, again;
	const char *kind; /* "cudaMallocManaged" */
	const char *variable;
} ExecAlloc;

typedef struct {
	ExecCall by;
	uint64_t addr;
} ExecRelease;

/* It returned an error, or ended the program without one (""); and why, as far as the runtime knows. */
typedef struct {
	ExecCall by;
	uint64_t number; /* of the process, from 1 */
	const char *error, *cause;
} ExecFailure;

/* It copied or filled, where that is to be told (ExecFacts.moves). `by` has a name where the call matters. */
typedef struct {
	ExecCall by;
	Moved rows;
	uint64_t bytes; /* of all that the call moves */
} ExecMoved;

/* Host code used memory before it waited for what was to be done there: a kernel, as linked, or a copy; or, with what
 * "", memory that it cannot use, which ends the program. */
typedef struct {
	ExecCall by; /* the code, and no call */
	uint64_t addr;
	bool writes;
	const char *what;
} ExecEarly;

/* An operation of a stream is done now. before: of each stream, by its id, the last operation that is before it;
 * waited: that the program has waited for. number 0: from now on none is told. */
typedef struct {
	uint64_t stream, number;
	const Number *before;
	uint32_t nbefore;
	const Number *waited;
	uint32_t nwaited;
} ExecOperation;

/* What a copy, a fill, or an allocation of it touches, by address. */
typedef struct {
	ExecCall by;
	const Touched *touched;
	uint32_t n;
	const char *what; /* "a copy" */
} ExecTouched;

enum { EXEC_HOST_STREAM, EXEC_USUAL_STREAM, EXEC_NO_STREAM, EXEC_FIRST_STREAM, EXEC_MOST_STREAMS = 256 }; /* ids */

/* variable: read and written by calls. launch: of its config what
 * a program sets; places are gpulab's. */
#define EXEC_CALLS(X)                                                                                                  \
	X(hello, Nothing, ExecFacts)                                                                                       \
	X(alloc, ExecAlloc, ExecPlace)                                                                                     \
	X(release, ExecRelease, Nothing)                                                                                   \
	X(load, ModuleCode, Number)                                                                                        \
	X(variable, SymbolRequest, SymbolPlace)                                                                            \
	X(kernel, SymbolRequest, ExecKernel)                                                                               \
	X(occupancy, KernelRequest, Number)                                                                                \
	X(write, ExecWrite, Nothing)                                                                                       \
	X(fill, ExecFill, Nothing)                                                                                         \
	X(moved, ExecMoved, Nothing)                                                                                       \
	X(early, ExecEarly, Nothing)                                                                                       \
	X(read, Bulk, Got)                                                                                                 \
	X(launch, BackendLaunch, ExecEnded)                                                                                \
	X(refused, ExecRefused, Nothing)                                                                                   \
	X(texture, TextureRequest, TextureMade)                                                                            \
	X(texture_free, Number, Nothing)                                                                                   \
	X(texture_copy, TextureCopy, Nothing)                                                                              \
	X(operation, ExecOperation, Nothing)                                                                               \
	X(touched, ExecTouched, Nothing)                                                                                   \
	X(failed, ExecFailure, Nothing)                                                                                    \
	X(taken, Nothing, Nothing)                                                                                         \
	X(timed, Nothing, Nothing)                                                                                         \
	X(seen, Number, Nothing)                                                                                           \
	X(stopped, ExecText, Nothing)

typedef enum {
#define X(name, Request, Answer) EXEC_##name,
	EXEC_CALLS(X)
#undef X
		EXEC_NCALLS
} ExecCallNumber;

extern const Message exec_messages[EXEC_NCALLS];
extern const Record ExecFacts_record, ExecPlace_record, ExecAlloc_record, ExecKernel_record, ExecWrite_record,
	ExecFill_record, ExecEnded_record, ExecRefused_record, ExecText_record, ExecFailure_record, ExecMoved_record,
	ExecRelease_record, ExecEarly_record, ExecOperation_record, ExecTouched_record;
