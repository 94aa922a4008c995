/* The allocations of one process of a program, by address. */
#pragma once

#include <stdbool.h>

#include "base/ordered.h"
#include "device/backend/backend.h"
#include "exec/blob.h"
#include "gpu/launch.h"

typedef struct {
	uint64_t addr, bytes;
	char name[64];
	bool variable; /* a managed one: the program need not free it */
	bool pinned;   /* it is of the host */
	/* The last launch that was given it; kernel NULL: none was. */
	const char *kernel;  /* as linked, in its module */
	const char *refused; /* the same of a launch after that one, which did not run */
	LaunchConfig config;
	uint32_t element; /* bytes of what the parameter points to; 0: not known */
	Blob *last;       /* what it held when a launch was last kept (kept.h); NULL: no launch with it was */
	uint64_t found;   /* the number of the launch that was last found to reach it (kept.h) */
} Held;

/* All zeros: none. */
typedef struct {
	OrderedMap map;
	OrderedMap freed; /* those that were released, by their address: the last ones, with name and size alone */
} HeldMap;

Held *held_add(HeldMap *all, uint64_t addr, uint64_t bytes, const char *name);
Held *held_at(const HeldMap *all, uint64_t addr);             /* the one that contains the address; NULL: none */
const Held *held_freed_at(const HeldMap *all, uint64_t addr); /* the same of those that were released */
void held_release(HeldMap *all, Held *held);
void held_free(HeldMap *all);

/* A launch that ran, or was refused, was given what its arguments point to. */
void held_given(HeldMap *all, const PtxFunction *kernel, const BackendLaunch *launch, bool ran);
/* What a refused launch was to write is not there: said of reads of that. */
void held_say_refused(const HeldMap *all, Report *report);
/* The one that has all these rows; NULL: none. */
Held *held_rows(const HeldMap *all, uint64_t addr, uint64_t pitch, uint64_t width, uint64_t rows);

/* for (Held *h = held_first(all); h; h = held_next(all, h)) */
Held *held_first(const HeldMap *all);
Held *held_next(const HeldMap *all, const Held *held);
Held *held_next_from(const HeldMap *all, uint64_t addr); /* the first that begins there or behind it; NULL: none */
