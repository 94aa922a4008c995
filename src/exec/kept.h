/* What a launch of a program was given, kept so that the launch can be made again after the program has gone on or has
 * ended: all memory that its kernel can get to. That is the variables of its module, the allocations that its
 * parameters have an address in, and those that the variables and such allocations have one in.
 *
 *     parameters  n | 0x010000000300 | 2.5          any eight bytes that are an address within an allocation count as
 *                          |                        one: now and then too much is kept, and never too little
 *                          v
 *     allocation  [ ... 0x010000001000 ... ]        all of it goes back to the addresses that it had, so no address
 *                          |                        has to be told from a number that looks like one
 *                          v
 *     allocation  [ ...                    ]
 *
 * Variables go back to their addresses, too: kept_code says them to whoever loads the code.
 *
 * Launches that were given the same contents share one copy of them. */
#pragma once

#include "base/str.h"
#include "device/backend/backend.h"
#include "exec/held.h"
#include "ptx/module.h"

typedef struct {
	uint64_t addr;
	char name[64];
	Blob *contents;
} KeptBuffer;

/* An allocation that it was given, and that was freed before it: its use is to be one of freed memory again. */
typedef struct {
	uint64_t addr, bytes;
	char name[64];
} KeptFreed;

typedef struct {
	char *name; /* as linked */
	uint64_t addr;
	Blob *contents; /* NULL: those that the code gives it */
} KeptVariable;

typedef struct KeptLaunch {
	size_t users;
	Blob *ptx, *cubin; /* of its module; cubin NULL: the program has none for the GPU */
	char *kernel;      /* as linked */
	char *name;        /* as in the source, with the arguments of its template: "reduce<256>" */
	LaunchConfig config;
	uint64_t module; /* the worker's, while `now` is there */
	Blob *params;
	ParamPlace *places; /* [nparams] */
	uint32_t nparams;
	KeptBuffer *buffers; /* [nbuffers] by address */
	size_t nbuffers;
	KeptFreed *freed; /* [nfreed] */
	size_t nfreed;
	KeptVariable *variables; /* [nvariables] */
	size_t nvariables;
	Backend *now; /* while the launch is reported: the emulator's memory has what it left. Else NULL */
} Kept;

/* The launch that is about to begin. */
typedef struct {
	Backend *backend;
	HeldMap *held;
	uint64_t number;
	const BackendLaunch *launch;
	const PtxModule *ptx;
	Blob *text, *cubin; /* of the module */
	size_t most;        /* bytes that all copies together may take */
} KeepRequest;

enum { WHY_NOT = 320 };
/* *why, if it is not empty, says why the inputs are not kept: then it has the kernel alone. Where it says something
 * before, none are asked for. */
Kept *kept_of(const KeepRequest *request, char why[WHY_NOT]);
/* The PTX, with the places of its variables. */
void kept_code(const Kept *kept, Str *out);
Kept *kept_share(Kept *kept);
/* For all who share it: of what it was given nothing is left, only its kernel and how that was launched. */
void kept_forget_inputs(Kept *kept);
void kept_drop(Kept *kept); /* NULL is allowed */
