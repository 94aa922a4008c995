/* A stepper's parts: step.c goes; step/run_to.c runs to where a move ends, step/schedule.c chooses what runs next,
 * step/code.c knows the places in the code, step/moment.c describes, step/value.c evaluates. The way back: step/image.c
 * keeps the block as it was at moments, memory/undo.c takes stores back, step/written.c knows what wrote a register. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "emu/machine/launch.h"
#include "emu/memory/undo.h"
#include "emu/step/step.h"
#include "emu/warp/warp.h"
#include "ptx/places.h"

/* --- step/written.c ----------------------------------------------------------------------------------------------- */

/* When an instruction ran last. */
typedef struct {
	uint64_t time;   /* the moment after it; 0: it has not run */
	uint64_t *lanes; /* [32]: of lanes that the last time was not for; NULL: none */
	uint32_t mask;   /* lanes that it was for */
} Mark;

/* Instructions that write register r: instrs[first[r]] up to instrs[first[r + 1]], as global numbers. */
typedef struct {
	uint32_t *first, *instrs;
} Writers;

Writers *step_writers(Arena *arena, const Run *run); /* [functions of the module] */
void mark_other_lanes(Arena *arena, Mark *mark, uint32_t mask);
Mark *marks_copy(Arena *arena, const Mark *marks, size_t n); /* NULL: nothing has run */

static inline void mark(Arena *arena, Mark *m, uint32_t mask, uint64_t time) {
	if (m->mask & ~mask) mark_other_lanes(arena, m, mask);
	m->mask = mask;
	m->time = time;
}

/* What a warp wrote since the block began. */
typedef struct {
	const Mark *marks; /* [instructions of the kernel] */
	const Writers *writers;
} WrittenRegisters;
/* The moment after the lane wrote the register; 0: not yet. */
uint64_t written_at(const WrittenRegisters *written, const EmuFunction *fn, uint32_t reg, uint32_t lane);
/* False: the lanes did not all write it with the same instructions. */
bool written_by_all(const WrittenRegisters *written, const EmuFunction *fn, uint32_t reg, uint32_t lanes,
					uint64_t *time);

/* --- step/value.c ------------------------------------------------------------------------------------------------- */

typedef struct ValueCode ValueCode;
ValueCode *value_code(const char *text, Err *err); /* NULL with err */
void value_code_free(ValueCode *code);
/* For all lanes of the warp that have not ended, in the frame. */
void value_of(ValueCode *code, Warp *warp, Frame *frame, const WrittenRegisters *written, StepValue *out);
bool value_true(const StepValue *value, uint32_t lanes); /* not 0 for one of them */

/* --- the stepper -------------------------------------------------------------------------------------------------- */

typedef struct {
	StepStop stop; /* texts copied */
	ValueCode *condition;
	StepValue before; /* CHANGE: what each lane had last; known: lanes that had something */
	uint8_t *at;      /* [instructions of the kernel]: it stops here; NULL: no place in the code */
} ArmedStop;

/* Where a warp last got to a line. */
typedef struct {
	uint32_t instr; /* global number; UINT32_MAX: nowhere yet */
	uint32_t line, file;
} Arrival;

/* An instruction, as running needs it. */
typedef struct {
	const Op *first; /* it begins with this one */
	uint32_t guard;  /* place of its predicate; NO_SLOT: it has none */
	bool negated;    /* the predicate */
	bool starts;     /* a line's code begins here, as people see it */
} Site;

typedef struct StepImage StepImage;

typedef struct {
	Observer base;
	Stepper *stepper;
} StepObserver;

typedef struct {
	Block *first;
	uint64_t number;
} OtherCluster;

struct Stepper {
	Arena *arena; /* of what is there until it is closed */
	Machine *machine;
	EmuLaunch launch;
	Run run;
	Worker *worker;
	StepObserver observer;
	Observer *observers[1];
	StepFocus focus;
	uint64_t ncluster;        /* the cluster in focus */
	Block *first;             /* its first block */
	Block *block;             /* the one in focus */
	VEC(OtherCluster) others; /* clusters that have begun and not ended, but for the one in focus */
	uint64_t next;            /* cluster that no one has taken */
	Undo *before;             /* of the blocks before the one in focus */
	Undo *undo;               /* where stores are kept now: there, or in the last image */
	VEC(StepImage *) images;  /* of the block in focus, the first at its beginning; in the order of their moments */
	uint64_t spacing;         /* operations between two of them, but for the last */
	HeapImage *heap;          /* that of malloc when the launch began */

	/* The schedule of the cluster: which warp, which split, what it runs next; NULL: to be chosen. */
	uint32_t at_block, at_warp, at_split;
	bool ran; /* one did in this round */
	Warp *running;
	const Op *op;
	uint64_t time;
	bool over; /* no block of the cluster is left */

	uint64_t *instructions; /* [nwarps] of the block in focus */
	Arrival *arrivals;      /* [nwarps] */
	Mark *marks;            /* [nwarps][instructions of the kernel] */
	Arena *marked;          /* has them */
	Writers *writers;       /* [functions of the module] */
	Spot *spots;            /* [instructions of the kernel] */
	Site *sites;            /* [instructions of the kernel] */
	VEC(ArmedStop) stops;
	uint64_t watched; /* the moment until which they were followed, in this warp; UINT64_MAX: none */
	uint32_t watched_warp;
	uint32_t stopped_at; /* index of the armed stop that its access met, + 1; 0: none */
	VEC(StepAccess) accesses;
	bool collects; /* accesses of the warp in focus */
	VEC(StepEvent) events;
	bool traces;
};

/* --- step/written.c --- */
void step_set_marks(Stepper *s, const Mark *marks); /* a copy; NULL: nothing has run */

/* --- step/image.c --- */
/* The block in focus as it is now, as the last of the images; what is stored from here on is taken back with it. */
void step_image_push(Stepper *s);
void step_image_keep(Stepper *s);               /* likewise, if it is time for one: called every so often */
void step_image_return(Stepper *s, size_t at);  /* to the moment of one; those after it are gone */
void step_images_drop(Stepper *s, size_t from); /* these are gone; what stores changed since then, too */
uint64_t step_image_time(const Stepper *s, size_t at);
bool step_image_holds(const Stepper *s); /* would one of now do, later on? */
void step_cluster_drop(Stepper *s, Block *first);

/* --- step/schedule.c --- */
/* Goes to the beginning of the launch and of the block in focus. False: the blocks before it did not end well. */
bool step_begin(Stepper *s);
/* Goes to the last image that is not after `time`; without one, as step_begin. */
bool step_go_before(Stepper *s, uint64_t time);
void step_end_launch(Stepper *s); /* memory is as it was before the launch */
/* The next split that can run, warp by warp as in any launch. False: none is left, or the run has stopped. */
bool step_choose(Stepper *s);
bool step_has_stopped(const Stepper *s);
void step_clear_stop(Stepper *s);
WrittenRegisters step_written(const Stepper *s, const Warp *w);

/* --- step/code.c --- */
void step_find_starts(Stepper *s);
const Spot *step_spot(const Stepper *s, const Frame *frame, const Op *op);
uint32_t step_depth(const Stepper *s, const Frame *frame, const Op *op); /* of calls, inlined ones too */
/* What they have seen stays if the moment is still the one until which they were followed. */
bool step_arm(Stepper *s, const StepGo *go, Err *err);
ArmedStop *step_first_of(const Stepper *s, uint32_t number); /* of stops at changes: it has what was seen */
void step_disarm(Stepper *s);

/* --- step/run_to.c --- */
/* Where a move would end. */
typedef struct {
	uint64_t time;
	uint32_t stop;  /* number of the armed stop + 1; 0: none */
	uint32_t depth; /* OVER: of calls */
} StepHit;

typedef struct {
	StepWay way;    /* GO_TIME: only the limit */
	uint64_t limit; /* runs up to this moment */
	uint64_t left;  /* hits to go */
	uint32_t depth; /* OVER, OUT: of calls, where it comes from */
	Arrival from;
	uint64_t began; /* instructions of the warp in focus before it goes */
	bool stops;     /* armed stops count */
	bool record;    /* notes the moments of hits instead of stopping */
	/* Recording from an image on, not from the block's beginning, some things are known only after a while: what was
	 * watched before, and which line a step over calls comes from. Hits count from `sure` on. */
	bool unsure, from_known;
	uint64_t sure;
	VEC(StepHit) hits;
	uint32_t stop; /* of the hit */
} Goal;

Goal step_goal(const Stepper *s, const StepGo *go); /* from where the warp in focus is */
StepHalt step_run(Stepper *s, Goal *goal);
StepHalt step_halted(const Stepper *s); /* why it has stopped */
const ObserverOps *step_observer_ops(void);

/* --- step/moment.c --- */
Warp *step_warp(const Stepper *s); /* in focus */
/* The split of the warp that runs or runs next, and where it is. */
Split *step_split(const Stepper *s, const Warp *w);
const Op *step_op(const Stepper *s, const Warp *w, const Split *split);
const PtxInstr *step_instr(const Frame *frame, const Op *op);
void step_describe(Stepper *s, Arena *arena, StepMoment *out);
