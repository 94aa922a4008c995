/* A question about a list of launches (device_submit), phase by phase; each uses only those above it:
 *
 *     list.c      the list checked whole before any of it runs, and what it does to each buffer
 *     routine.c   library routines in a list
 *     pack.c      the same launches with the addresses of one side, for a backend
 *     orders.c    a check, or a search for another result, in adversarial orders of blocks and warps
 *     shadow.c    the list on the emulator next to the device
 *     conclude.c  what follows of how they ended: which workers live, guards, the place of a fault
 *     submit.c    the question itself, on the device or on its shadow */
#pragma once

#include "device/contents/contents.h"

/* --- list.c ------------------------------------------------------------------------------------------------------- */

typedef struct {
	Slot *slot;
	uint8_t uses;               /* by any item: a set of USE_* (contents/uses.h) */
	bool read_first;            /* by an item, before an earlier one wrote it */
	uint32_t written_by;        /* the first item that may write it; NOT_WRITTEN */
	const DeviceKernel *writer; /* its kernel; NULL: none, or a library routine */
} PlanUse;
#define NOT_WRITTEN UINT32_MAX

/* Made once per question, so that no later phase looks at an argument again. Valid while no buffer is made or freed. */
typedef struct {
	const LaunchList *list;
	VEC(PlanUse) uses; /* each slot once, in the order of first use */
	uint32_t number;   /* of the device's plans: slots in it have it, too */
} ListPlan;

bool is_launch(const LaunchItem *item);
/* Checks arguments against parameters: count, sizes, live buffers, a sensible grid and block. emulated: an item that is
 * no launch is ERR_SETUP. list_plan_free also after false. */
bool list_plan(Device *device, const LaunchList *list, bool emulated, ListPlan *out, Err *err);
void list_plan_free(ListPlan *plan);
bool list_not_stale(const ListPlan *plan, Err *err); /* nothing that was lost is read before an item has written it */
bool list_has(const ListPlan *plan, const Slot *slot);

/* --- routine.c ---------------------------------------------------------------------------------------------------- */

/* Extents and buffers against each other, and whether the device has it; slots[LIBRARY_BUFFERS]. */
bool library_check(Device *device, const LibraryCall *call, Slot **slots, Err *err);

/* --- pack.c ------------------------------------------------------------------------------------------------------- */

void item_pack(Device *device, const LaunchItem *item, bool shadow, Arena *arena, BackendItem *out);
/* What a backend is asked of the list, without what it is to put back. shadow: by the addresses there. */
Submission list_pack(Device *device, const ListPlan *plan, const Ask *ask, bool shadow, Arena *arena);
/* Adds what the launches may write to, of the device's own side. */
bool list_pack_restore(Device *device, const ListPlan *plan, Arena *arena, Submission *s, Err *err);
/* One submission to a backend, whose answer is in the arena. */
bool backend_ask(Backend *b, const LaunchList *list, Submission s, Arena *arena, Report *out, Err *err);

/* --- conclude.c --------------------------------------------------------------------------------------------------- */

bool list_conclude(Device *device, const ListPlan *plan, LaunchOutcome *out, Err *err);

/* --- shadow.c ----------------------------------------------------------------------------------------------------- */

/* The list on the shadow device. present: with contents as they are now where that matters; else as they were before,
 * as far as definitions say. *unknown receives the name of a buffer that the kernels may read and whose contents had to
 * be taken from its definition although a kernel had written to it; NULL if none. */
bool shadow_submit(Device *device, const ListPlan *plan, const Ask *ask, bool present, Arena *arena, Report *out,
				   const char **unknown, Err *err);
