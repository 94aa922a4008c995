/* What the runtime in the program asks of gpulab: frames and records (wire/), like a worker's but with the program as
 * the one who asks. The list makes the numbers, the names, and the table that serves them; calls.c has the fields. The
 * program is not trusted: every field is checked when it is read, and every address when it is used. */
#ifndef GPULAB_EXEC_CALLS_H
#define GPULAB_EXEC_CALLS_H

#include "gpu/launch.h"
#include "gpu/texture.h"
#include "wire/record.h"

/* The environment variable that names the two descriptors the program inherits: "SOCKET,MEMORY". */
#define EXEC_VARIABLE "GPULAB_EXEC"

enum { EXEC_MOST_PARAMS = 4096 };

/* Managed and pinned memory is at the same address in the program and on the device: from here on. */
#define EXEC_MANAGED UINT64_C(0x020000000000)
#define EXEC_DEVICE_FIRST UINT64_C(0x010000000000)
#define EXEC_DEVICE_END UINT64_C(0x030000000000)

typedef struct {
	char none;
} ExecNothing;

typedef struct {
	uint64_t value;
} ExecNumber;

/* The device, and where its memory is. */
typedef struct {
	uint64_t pool_at, pool_bytes; /* of the memory that both map: the part that holds buffers */
	bool check;                   /* writes by the host are to be reported */
	bool predict;                 /* launches answer with a predicted time */
	bool count;                   /* SASS is wanted next to PTX: it says how wide accesses are */
	bool steps;                   /* launches may be stepped: Ctrl-C during one is gpulab's */
	uint64_t streams;             /* the seed of an order of what streams are given; 0: at once */
	bool clusters;
	char name[128];
	uint32_t cc, sms;
	double clock_ghz, dram_gbps, to_device_gbps, from_device_gbps, copy_us;
	uint64_t l2_bytes, shared_per_block, shared_per_sm, shared_reserved;
	uint32_t threads_per_block, warps_per_sm, blocks_per_sm, registers_per_sm, copy_engines;
	uint32_t max_grid[3], max_block[3];
} ExecFacts;

typedef struct {
	uint64_t bytes;
	uint64_t wanted; /* the address it is to have; 0: any */
	const char *name;
} ExecAlloc;

typedef struct {
	uint64_t addr, bytes;
	uint64_t at; /* in the pool; EXEC_NOT_POOLED: read and write by calls */
} ExecPlace;
#define EXEC_NOT_POOLED UINT64_MAX

typedef struct {
	const char *ptx;
	const char *cubin; /* NULL: none for the device's architecture */
	size_t cubin_bytes;
} ExecCode;

/* A variable or a kernel of a module, by its linked name. */
typedef struct {
	uint64_t module;
	const char *name;
} ExecName;

typedef struct {
	uint32_t offset, size;
} ExecParam;

typedef struct {
	uint32_t registers, max_threads;
	uint32_t target; /* of the PTX: 80 for compute_80 */
	uint64_t static_shared, local_bytes, const_bytes, param_bytes;
	ExecParam *params;
	uint32_t nparams;
} ExecKernel;

typedef struct {
	uint64_t module;
	const char *name;
	uint32_t threads;
	uint64_t shared;
} ExecShape;

/* data empty: the bytes are already where they belong, in the pool. */
typedef struct {
	uint64_t addr, bytes;
	const void *data;
	size_t data_bytes;
} ExecWrite;

typedef struct {
	uint64_t addr, bytes;
} ExecRange;

typedef struct {
	const void *data;
	size_t bytes;
} ExecBytes;

typedef struct {
	uint64_t module;
	const char *name;
	LaunchConfig config;
	const void *params;
	size_t param_bytes;
} ExecCall;

typedef struct {
	LaunchStatus status;
	FaultKind fault;
	double milliseconds;
	bool lives; /* the device works on */
} ExecEnded;

typedef struct {
	TextureDesc desc;
} ExecTexture;
typedef struct {
	uint64_t number, object;
} ExecTextureMade;
typedef struct {
	uint64_t number, addr;
	bool into_texture;
} ExecTextureCopy;

typedef struct {
	const char *text;
} ExecText;

#define EXEC_CALLS(X)                                                                                                  \
	X(hello, ExecNothing, ExecFacts)                                                                                   \
	X(alloc, ExecAlloc, ExecPlace)                                                                                     \
	X(release, ExecNumber, ExecNothing)                                                                                \
	X(load, ExecCode, ExecNumber)                                                                                      \
	X(variable, ExecName, ExecPlace)                                                                                   \
	X(kernel, ExecName, ExecKernel)                                                                                    \
	X(occupancy, ExecShape, ExecNumber)                                                                                \
	X(write, ExecWrite, ExecNothing)                                                                                   \
	X(read, ExecRange, ExecBytes)                                                                                      \
	X(launch, ExecCall, ExecEnded)                                                                                     \
	X(texture, ExecTexture, ExecTextureMade)                                                                           \
	X(texture_free, ExecNumber, ExecNothing)                                                                           \
	X(texture_copy, ExecTextureCopy, ExecNothing)                                                                      \
	X(missing, ExecText, ExecNothing)

typedef enum {
#define X(name, Request, Answer) EXEC_##name,
	EXEC_CALLS(X)
#undef X
		EXEC_NCALLS
} ExecCallNumber;

typedef struct {
	const char *name;
	const Record *request, *answer;
} ExecMessage;
extern const ExecMessage exec_messages[EXEC_NCALLS];

#endif
