/* The CUDA runtime as an unmodified program sees it, on an emulated GPU: what its files share. The functions themselves
 * have the types of cuda_runtime_api.h; each returns through `returned`, which keeps the thread's last error.
 *
 *     client     the connection to gpulab, and the device's facts
 *     fatbin     PTX out of what nvcc put in the program
 *     registry   the program's modules, kernels and variables, by the addresses it knows them by
 *     blocks     allocations: device, managed and pinned; copy: what is in them
 *     pool       memory pools; managed: where managed memory is to be
 *     queue      the order of what streams are given; order: what of it is before what
 *     graph      what streams are given while they are captured; operations: what graphs are made of; capture: which
 *                streams that are, and what is refused in the meantime
 *     failures   calls that failed or are mistakes, from where, and whether the program looked
 *     host_room  how much memory the program has at an address of its own
 *     seed       whether random numbers may have been begun from the time
 *     per_thread functions for programs whose default stream is each thread's own
 *     redirect   every function by its name: those that are not here end the program; ours in place of its own
 *
 * Launches and copies are done when the call returns, which is an order that CUDA allows for any streams and events; or
 * in a drawn order that it allows, too (queue.c). One lock is held during a call. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "exec/calls.h"

#undef cudaGetDeviceProperties /* in CUDA 12 a macro for the next one */

typedef cudaError_t (*Work)(void *data); /* of an operation of a stream or graph */

#define API __attribute__((visibility("default")))
/* A function that does nothing: what it is about does not matter to an emulated GPU. */
#define NOTHING(name)                                                                                                  \
	API cudaError_t nothing_##name(void) __asm__(#name);                                                               \
	cudaError_t nothing_##name(void) {                                                                                 \
		called();                                                                                                      \
		return cudaSuccess;                                                                                            \
	}
/* One that does what another function of the file does, with arguments after that one's that make no difference: mostly
 * a stream. In the calling conventions of x86-64 and AArch64 a function does not see arguments after its own. */
#define ALSO(name, other)                                                                                              \
	extern __typeof(other) also_##name __asm__(#name) __attribute__((alias(#other), visibility("default")));

/* Functions of one expression. FORWARD: another function's result. ANSWER: *out gets a value. CALL, CALL_QUEUED,
 * CALL_UNSAFE (queued, too): work under the lock, begun as below. */
#define FORWARD(name, params, ...)                                                                                     \
	API cudaError_t name params {                                                                                      \
		return __VA_ARGS__;                                                                                            \
	}
#define ANSWER(name, params, out, ...)                                                                                 \
	API cudaError_t name params {                                                                                      \
		called();                                                                                                      \
		if (!&(out)) return without_place();                                                                           \
		out = __VA_ARGS__;                                                                                             \
		return cudaSuccess;                                                                                            \
	}
#define CALL(name, params, ...)                                                                                        \
	API cudaError_t name params {                                                                                      \
		BEGIN;                                                                                                         \
		return returned(__VA_ARGS__);                                                                                  \
	}
#define CALL_QUEUED(name, params, ...)                                                                                 \
	API cudaError_t name params {                                                                                      \
		BEGIN_QUEUED;                                                                                                  \
		return returned(__VA_ARGS__);                                                                                  \
	}
#define CALL_UNSAFE(name, params, ...)                                                                                 \
	API cudaError_t name params {                                                                                      \
		BEGIN_UNSAFE(false);                                                                                           \
		return returned(__VA_ARGS__);                                                                                  \
	}

/* --- client.c ----------------------------------------------------------------------------------------------------- */

/* The device's facts; the connection is made when first asked for. Ends the program where there is none. */
const ExecFacts *facts(void);
void when_connected(void (*f)(void)); /* f is called as soon as the process has connected; one at most */
void called(void);                    /* the program uses the runtime, whatever for: that connects it */
/* Asks gpulab. What the answer points to is valid until the next question. False: gpulab refused, and problem() says
 * why; a lost connection ends the program. */
bool ask(ExecCallNumber number, const void *request, void *answer);
const char *problem(void);
/* The process ends, and gpulab says why: with a sentence, or with what this runtime does not have. */
_Noreturn void stop(const char *why);
_Noreturn void missing(const char *what);
void printed_comes_out(void); /* the program waits, or does what else brings out what kernels printed */
char *pool_at(uint64_t at);   /* the memory of the device that both map; NULL: this program is judged, and maps none */
/* The same bytes at another address, too, in place of what is there; a child process does not inherit them. */
bool pool_map(uint64_t at, size_t bytes, void *to);
/* This process was forked by one that had used the GPU, and cannot. */
bool is_forked(void);

void lock(void);
bool try_lock(void);
bool lock_is_mine(void); /* a call of the runtime is in progress in this thread */
void unlock(void);
bool is_connected(void);
bool device_lost(cudaError_t *error); /* a launch broke the device: every call returns that error */
void lose_device(cudaError_t error);
/* --- failures.c --------------------------------------------------------------------------------------------------- */

/* Says, in terms of the program, why the call in progress is about to fail, and what to write. */
__attribute__((format(printf, 1, 2))) void because(const char *format, ...);
/* Says, where launches are checked, that the call in progress is a mistake, whatever it returns. */
__attribute__((format(printf, 1, 2))) uint64_t mistake(const char *format, ...);
void no_mistake(uint64_t number); /* it was none after all; 0: none was said */
typedef struct {
	char text[128];
} SizeText;
SizeText size_text(size_t bytes); /* "4000 bytes", and of a negative number how that may have come about */
const char *reason(void);         /* what was said so; "": nothing */
/* A place of the program's code. */
ExecCall place_of_code(const void *code, Number places[EXEC_MOST_PLACES]);
/* The same of code that a signal's handler has interrupted: in a library, what called that. */
ExecCall place_of_fault(const void *code, Number places[EXEC_MOST_PLACES]);
/* Finds the call of the program that is in progress: its name, and the places that it was made from. */
ExecCall find_call(Number places[EXEC_MOST_PLACES]);
bool is_own_code(const void *code);      /* of this library, or of the driver's */
void failed_at(uint64_t addr);           /* the call in progress ends the program: it cannot access the address */
cudaError_t returned(cudaError_t error); /* unlocks; an error is remembered, and reported to gpulab */
const char *error_name(cudaError_t error), *error_text(cudaError_t error); /* errors.c */

/* --- registry.c --------------------------------------------------------------------------------------------------- */

typedef struct {
	const void *fatbin; /* where nvcc put it; or */
	size_t bytes;       /* that may be read there */
	const char *ptx;
	uint64_t number;            /* gpulab's; 0: not loaded yet */
	const void *const *objects; /* linked by nvlink: their fat binaries, which have the PTX; then NULL */
	bool tried;
	const char *why; /* not loaded: the reason */
} Module;

enum { DEFAULT_SHARED = 48 << 10 }; /* bytes per block that a kernel may use without asking for more */

typedef struct {
	const void *host; /* the stub's address in the program */
	const char *name;
	Module *module;
	bool known;
	ExecKernel about;
	size_t dynamic_limit; /* cudaFuncAttributeMaxDynamicSharedMemorySize */
} Kernel;

typedef struct {
	const void *host;
	const char *name;
	Module *module;
	size_t bytes;
	bool constant, managed, known;
	uint64_t addr;
	char *copy; /* of a managed one: what the program sees */
} Variable;

/* The kernel by its stub, loaded. NULL with *error. */
Kernel *kernel_of(const void *host, cudaError_t *error);
Variable *variable_of(const void *host, cudaError_t *error);
const char *variable_name(const void *host); /* NULL: no variable of the device has that address in host code */
cudaError_t at_symbol(const void *host, size_t bytes, size_t offset, void **out); /* where these bytes of it are */
/* Before and after a launch: managed variables have one content, in two places. */
void managed_to_device(void);
void managed_from_device(void);
uint64_t managed_copy(uint64_t addr); /* where the program has the byte, if it is a managed variable's; else addr */

/* --- blocks.c ----------------------------------------------------------------------------------------------------- */

typedef struct Pool Pool;
typedef enum { BLOCK_DEVICE, BLOCK_MANAGED, BLOCK_HOST, BLOCK_VARIABLE } BlockKind;

typedef struct {
	uint64_t addr, bytes;
	char *view; /* NULL: by calls */
	BlockKind kind;
	bool own;              /* memory of the program that the device does not have */
	unsigned flags;        /* of cudaHostAlloc */
	Pool *pool;            /* of cudaMallocAsync; else NULL */
	uint64_t width, pitch; /* of cudaMallocPitch and cudaMalloc3D; else 0 */
	uint8_t fill;          /* cudaMemset set all of its bytes to this value, and nothing else was written; 0: not so */
	uint8_t element;       /* bytes of what a kernel's parameter points to, if another is their number; else 0 */
	uint64_t attached;     /* managed memory: to a stream, whose kernels alone use it; 0: to none */
	bool copied;           /* to the host */
	uint64_t doubt;        /* the mistake that its last copy is, unless there is another; 0: none */
	unsigned parts;        /* how many calls wrote to it, the first of them not to all of it; counted to MOST_PARTS */
} Block;

cudaError_t block_new(size_t bytes, BlockKind kind, void **out);
uint64_t block_reserve(size_t bytes, BlockKind kind); /* an address that no other allocation will have */
cudaError_t block_at_address(uint64_t addr, size_t bytes, BlockKind kind, void **out); /* 0: any */
cudaError_t block_free(void *at, bool host);
cudaError_t block_of_variable(const char *name, size_t bytes, void **out); /* a managed one's, in the program */
/* The block that contains the address; NULL: none. */
Block *block_at(uint64_t addr);
void block_note(uint64_t addr, uint64_t bytes); /* a variable's */
void blocks_reset(void);
Touched *blocks_managed(uint64_t stream, size_t *n); /* that kernels of the stream may use, as written; to be freed */
bool is_registered(const void *host);                /* pinned.c: memory of the program that cudaHostRegister pinned */
cudaError_t registered_on_device(void *host, void **out);
uint64_t blocks_used(void);
bool points_to_block(const void *host); /* a pointer to a block is there */
void results_taken(void);               /* what kernels computed gets to the host: gpulab is told so once */

/* --- copy.c ------------------------------------------------------------------------------------------------------- */

/* Rows `pitch` apart, in slices `slice` apart. */
typedef struct {
	void *at;
	size_t pitch, slice;
} Box;

/* Copies between any two places, the program's memory or the device's; extents count bytes, rows and slices. The checks
 * are what these begin with: an error of the program's that shows before anything is copied. */
cudaError_t copy_box(Box to, Box from, struct cudaExtent e, enum cudaMemcpyKind kind);
cudaError_t copy_check(Box to, Box from, struct cudaExtent e, enum cudaMemcpyKind kind);
cudaError_t copy_bytes(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
/* The bytes are set to a value that is `width` bytes wide. */
cudaError_t fill_box(Box box, const void *value, size_t width, struct cudaExtent e);
cudaError_t fill_check(Box box, struct cudaExtent e);

/* --- host_room.c -------------------------------------------------------------------------------------------------- */

/* Is the memory of the program that a copy reads or writes larger than the variable or block that is there? rows: it
 * holds pointers to rows of device memory, which can look like a std::vector. */
void host_range_check(const void *at, size_t bytes, bool rows, const char *what);
/* Bytes that are there from the address on, at most. UINT64_MAX: not known; 0: the function that it was local to has
 * returned. */
uint64_t host_room(const void *at);
bool read_words(const void *at, uint64_t *out, size_t n); /* without a fault where nothing is */
bool is_on_stack(const void *at, size_t bytes);           /* a part of that is on this thread's stack */

/* --- memory.c ----------------------------------------------------------------------------------------------------- */

/* The forms of a function that copies or fills: it waits, in the default stream or the thread's own, or it does not, in
 * a stream. The expression has `stream` and `waits`. */
#define ARGS(...) __VA_ARGS__
#define IN_STREAM_(name, params, of_call, wait, ...)                                                                   \
	API cudaError_t name(params) {                                                                                     \
		cudaStream_t stream = of_call;                                                                                 \
		const bool waits = wait;                                                                                       \
		return __VA_ARGS__;                                                                                            \
	}
#define IN_STREAMS(name, params, ...)                                                                                  \
	IN_STREAM_(name, ARGS(params), NULL, true, __VA_ARGS__)                                                            \
	IN_STREAM_(name##_ptds, ARGS(params), cudaStreamPerThread, true, __VA_ARGS__)                                      \
	IN_STREAM_(name##Async, ARGS(params, cudaStream_t given), given, false, __VA_ARGS__)                               \
	IN_STREAM_(name##Async_ptsz, ARGS(params, cudaStream_t given), given ? given : cudaStreamPerThread, false,         \
			   __VA_ARGS__)

/* --- device.c ----------------------------------------------------------------------------------------------------- */

enum { TEXTURE_PITCH = 32 }; /* bytes that the rows of a texture of pitched memory begin at a multiple of */
size_t device_memory(void);  /* bytes that the GPU has; the emulator may have fewer, or more */

/* --- pool.c ------------------------------------------------------------------------------------------------------- */

Pool *pool_current(void); /* the device's */
bool pool_has_room(const Pool *pool, uint64_t bytes);
void pool_took(Pool *pool, uint64_t bytes);
void pool_freed(Pool *pool, uint64_t bytes);
void block_of_graphs(Block *b); /* it is memory that a graph's node allocates: it is counted apart */
bool is_of_graphs(const Block *b);
void pools_synchronized(void); /* the program waited: what they need not keep is given back */
uint64_t pools_idle(void);     /* bytes that they keep */

/* --- queue.c ------------------------------------------------------------------------------------------------------ */

/* The ids of the default stream, of what host code does by itself, and of a stream that was destroyed. */
enum { USUAL_STREAM = EXEC_USUAL_STREAM, HOST_STREAM = EXEC_HOST_STREAM, NO_STREAM = EXEC_NO_STREAM };
typedef struct Graph Graph;
typedef struct {
	unsigned long long id;
	bool blocking; /* not created with cudaStreamNonBlocking */
	Graph *graph;  /* it is captured: its work goes there; else NULL */
} StreamKey;

/* Work for a stream, after an operation of another one (0: none): done at once, or later. data is the queue's, to be
 * freed with free. work NULL: the operation is only waited for. *number is for the functions below; NULL: not
 * wanted. */
cudaError_t queue_add(StreamKey stream, uint64_t after, Work work, void *data, uint64_t *number);
/* Work that the call waits for, or that the stream gets: a node if it is captured, and else done when this returns. The
 * data is copied. */
cudaError_t queue_do(StreamKey stream, bool waits, Work work, const void *data, size_t bytes);
void queue_finish(void); /* all of it */
void queue_wait_stream(StreamKey stream);
void queue_wait(uint64_t number);
void queue_run(uint64_t number); /* the same, but the program does not wait: it may not rely on it */
bool queue_has(uint64_t number); /* not done yet */
/* Some of it, and whether the operation, or with 0 all of the stream, is done. */
bool queue_poll(const StreamKey *stream, uint64_t number);
cudaError_t queue_late(void);              /* the first error of work whose call had returned; forgotten then */
StreamKey stream_key(cudaStream_t stream); /* stream.c */
cudaError_t no_such(const char *what);     /* "stream" or "event": the error, and why */
/* failures.c: streams, events, graphs, and arrays that exist. */
typedef enum { A_STREAM = 1, AN_EVENT, A_GRAPH, AN_ARRAY } HandleKind;
bool is_handle(const void *handle, HandleKind kind);
void handle_add(const void *handle, HandleKind kind);
void handle_remove(const void *handle);
cudaError_t nowhere(void);                            /* a null pointer where the result is to be: the same */
cudaError_t without_place(void);                      /* for a call that has not begun */
bool flags_are_wrong(unsigned flags, unsigned known); /* and why */

extern __thread bool calls_host; /* capture.c: this thread is in a host function or a callback of a stream */
/* Begins a call: takes the lock. What streams were given is done then, unless the call leaves it waiting. */
cudaError_t begin_call(bool finish);
#define BEGIN_AS(finish)                                                                                               \
	const cudaError_t lost_ = begin_call(finish);                                                                      \
	if (lost_ != cudaSuccess) return returned(lost_)
/* The same, of a call that may be given nowhere to put its result. */
#define BEGIN_FOR(place, finish)                                                                                       \
	BEGIN_AS(finish);                                                                                                  \
	if (!(place)) return returned(nowhere())
#define BEGIN BEGIN_AS(true)
#define BEGIN_QUEUED BEGIN_AS(false)
/* The same, of a call that is unsafe while streams are captured (capture_unsafe). */
#define BEGIN_UNSAFE(finish)                                                                                           \
	BEGIN_AS(finish);                                                                                                  \
	const cudaError_t unsafe_ = capture_unsafe();                                                                      \
	if (unsafe_ != cudaSuccess) return returned(unsafe_)

/* --- stream_clocks.c ---------------------------------------------------------------------------------------------- */

void order_stream(StreamKey stream); /* it was created */
/* Is what operations touch to be compared? Only then the others do something. */
bool order_matters(void);
void order_add(StreamKey stream, uint64_t number, uint64_t after);      /* an operation, as with queue_add */
void order_begin(StreamKey stream, uint64_t number);                    /* it is done now, until */
void order_touch(const Touched *touched, uint32_t n, const char *what); /* what it touches, besides kernels */
void order_hide(bool hide); /* what is touched from now on, or no longer, is no operation's */
void order_end(uint64_t number, bool is_event);
uint64_t order_now(void); /* its number; 0: none */
/* The stream that was last at work, and its last operation; is that one the program has waited for? */
void order_latest(uint64_t *stream, uint64_t *number);
bool order_is_past(uint64_t stream, uint64_t number);
/* `then` is called whenever the program has waited: for all, or for what order_is_past says. */
void order_after_wait(void (*then)(bool all));
void order_host_waited(bool all);
/* The program has waited for the operation, for the stream, or with NULL for all streams. */
void order_waited(uint64_t number);
void order_waited_for(const StreamKey *stream);
bool order_is_waited(uint64_t number); /* has it? Also where that is not known */

/* --- operations.c ------------------------------------------------------------------------------------------------- */

Graph *graph_new(void);
/* data: as with queue_add; stream: by its id, 0: none */
void graph_add(Graph *g, unsigned long long stream, Work work, void *data);
/* graph_nodes.c: memory that each launch of the graph allocates, at the same address. */
cudaError_t graph_memory(Graph *g, void **out, size_t bytes);
bool graph_owns(const void *at); /* such memory, which is not there now: what is captured may use it */
/* capture.c: what a call is while streams are captured. In the default stream all are refused if it waits for one of
 * those.
 *
 *                            captured stream   another, or none
 *     CAPTURE_REFUSED        refused           allowed            cudaStreamAddCallback, cudaGraphLaunch
 *     CAPTURE_NODE           into the graph    allowed            launches, copies, fills, host functions
 *     CAPTURE_UNSAFE         refused           by the modes       waits and queries; cudaMalloc, cudaFree
 *     CAPTURE_UNSAFE_NODE    into the graph    by the modes       cudaMallocAsync, cudaFreeAsync
 *
 * A call that is refused makes the captures invalid; but one that only asks about the default stream does not. */
typedef enum { CAPTURE_REFUSED, CAPTURE_NODE, CAPTURE_UNSAFE, CAPTURE_UNSAFE_NODE } CaptureRule;
cudaError_t capture_refuses(StreamKey stream, CaptureRule rule);
cudaError_t capture_unsafe(void); /* a CAPTURE_UNSAFE call that has no stream */
cudaError_t capture_waits_for_device(void);
cudaError_t capture_waits_for_default(bool spoils);
/* This thread is in an operation: CUDA forbids a host function to wait, and nodes of graphs call functions that do. */
bool operation_is_here(void);
bool operation_enter(bool inside); /* or leaves it; returns what it was */
/* stream.c: all of this thread's work, whatever its stream, is captured; returns what it was before. */
Graph *stream_capture_all(Graph *all);

/* --- clock.c ------------------------------------------------------------------------------------------------------ */

void clock_add(double milliseconds); /* predicted, of a launch or a copy */
void clock_enter(bool finish);       /* a call begins, under the lock; finish: it waits for the device */
void clock_leave(void);              /* and ends */
double clock_now(void);              /* ms, of the device where times are predicted */

/* --- host_clock.c ------------------------------------------------------------------------------------------------- */

double host_clock_stop(void);       /* for a call; ms that the program ran since the last one, 0 before the first */
void host_clock_go(double advance); /* the call took so many ms, by what the model says */

/* --- early.c ------------------------------------------------------------------------------------------------------ */

bool early_matters(void); /* Is the host's use of memory to be watched? Only then the others do something. */
/* Until the program has waited for the operation that is done now: a kernel or copy touches these bytes. */
void early_use(const char *what, const Touched *pieces, size_t n);
void early_launch(const char *kernel, const Touched *pieces, size_t n); /* the same; and what any kernel may use */

/* --- host_access.c ------------------------------------------------------------------------------------------------ */

/* A fault at the address: it has another cause; the access is repeated; or repeated, and `after` is called then. */
typedef enum { NOT_WATCHED, GOES_ON, GOES_ON_ONCE } HostFaultEnd;
typedef HostFaultEnd (*HostFault)(uint64_t addr, const void *code, bool writes);
bool host_access_watches(HostFault fault, void (*after)(void)); /* ours is the handler now, and asks `fault` first */

/* Pages are copied and become others: a thread that writes them in the meantime waits. Ours is the handler from now on;
 * what else it gets goes to the program's. */
void host_access_moving(const void *first, size_t bytes);
void host_access_moved(void);

/* --- array.c: textures and surfaces are copies, made when needed -------------------------------------------------- */

void textures_before_launch(const void *params, size_t bytes);
void textures_after_launch(void);
cudaError_t copy_3d(void *params); /* cudaMemcpy3DParms */
