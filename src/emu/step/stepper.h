/* A stepper's parts: step.c goes; step/schedule.c runs an operation, step/code.c knows the places in the code,
 * step/moment.c describes, step/value.c evaluates, step/undo.c takes stores back. */
#ifndef GPULAB_EMU_STEPPER_H
#define GPULAB_EMU_STEPPER_H

#include "base/map.h"
#include "base/vec.h"
#include "emu/machine/launch.h"
#include "emu/step/step.h"

/* --- step/undo.c: memory as it was before the first store to each of its pages ------------------------------------ */

typedef struct {
	uint8_t *to, *copy;
	size_t bytes;
} UndoPiece;

typedef struct {
	Memory *memory;
	struct Textures *textures;
	VEC(UndoPiece) pieces;
	NumberMap pages;
} StepUndo;

void step_undo_keep(StepUndo *undo, const Access *access);
void step_undo_keep_texture(StepUndo *undo, uint64_t handle);
void step_undo_back(StepUndo *undo); /* memory is as it was; nothing is kept any more */

/* --- step/value.c ------------------------------------------------------------------------------------------------- */

typedef struct ValueCode ValueCode;
ValueCode *value_code(const char *text, Err *err); /* NULL with err */
void value_code_free(ValueCode *code);
/* By function, and register and lane: when it was last written since the block began, from 1 on; 0: not yet. */
typedef struct {
	uint64_t **written; /* [functions of the module]; NULL: none of it */
} WrittenRegisters;
/* For all lanes of the warp that have not ended, in the frame. */
void value_of(ValueCode *code, Warp *warp, Frame *frame, const WrittenRegisters *written, StepValue *out);
bool value_true(const StepValue *value, uint32_t lanes); /* not 0 for one of them */

/* --- the stepper -------------------------------------------------------------------------------------------------- */

typedef struct {
	StepStop stop; /* texts copied */
	ValueCode *condition;
	bool seen; /* CHANGE: there is an earlier value */
	StepValue before;
	uint8_t *at; /* [instructions of the kernel]: it stops here; NULL: no place in the code */
} ArmedStop;

/* Where an instruction is for people: what is inlined from the toolkit's headers is at its call. */
typedef struct {
	uint32_t file, line;
	uint32_t inlined_at; /* as in PtxInstr: the calls around that place */
} Spot;

/* Where a warp last got to a line. */
typedef struct {
	uint32_t instr; /* global number; UINT32_MAX: nowhere yet */
	uint32_t line, file;
} Arrival;

typedef struct {
	const ObserverOps *ops; /* it is an Observer */
	Stepper *stepper;
} StepObserver;

struct Stepper {
	Machine *machine;
	EmuLaunch launch;
	uint8_t *params;
	Run run;
	Worker *worker;
	StepObserver observer;
	Observer *observers[1];
	StepFocus focus;
	uint64_t ncluster;   /* the cluster in focus */
	Block *first;        /* its first block */
	Block *block;        /* the one in focus */
	VEC(Block *) others; /* first blocks of clusters that have begun and not ended, before the one in focus */
	uint64_t next;       /* cluster that no one has taken */
	bool mixed;          /* others have run since the block began: going back begins with the launch */
	StepUndo before, since;
	StepUndo *undo;        /* of the two, where stores are kept now */
	size_t stacks;         /* bytes of stacks when the block in focus began */
	VEC(uint64_t) objects; /* that malloc gave since the block began; going back frees them */

	/* The schedule of the cluster: which warp, which split, what it runs next; NULL: to be chosen. */
	uint32_t at_block, at_warp, at_split;
	bool ran; /* one did in this round */
	Warp *running;
	const Op *op;
	uint64_t time;
	bool over; /* no block of the cluster is left */

	uint64_t *instructions;    /* [nwarps] of the block in focus */
	Arrival *arrivals;         /* [nwarps] */
	WrittenRegisters *written; /* [nwarps] of the block in focus */
	Spot *spots;               /* [instructions of the kernel] */
	uint8_t *starts;           /* [instructions of the kernel]: a line's code begins here, as people see it */
	VEC(ArmedStop) stops;
	uint32_t stopped_at; /* index of the armed stop that its access met, + 1; 0: none */
	VEC(StepAccess) accesses;
	bool collects; /* accesses of the warp in focus */
	VEC(StepEvent) events;
	bool traces;
};

/* --- step/schedule.c --- */
/* To the beginning of the block in focus; with whole_launch the blocks before it run again. False: they did not end
 * well. */
bool step_begin(Stepper *s, bool whole_launch);
void step_end_launch(Stepper *s); /* memory is as it was before the launch */
/* The next split that can run, warp by warp as in any launch. False: none is left, or the run has stopped. */
bool step_choose(Stepper *s);
void step_run_op(Stepper *s);
bool step_has_stopped(const Stepper *s);
void step_clear_stop(Stepper *s);
void step_forget_written(Stepper *s);

/* --- step/code.c --- */
void step_find_starts(Stepper *s);
bool step_begins(const Op *op, const EmuFunction *fn); /* an instruction does */
const Spot *step_spot(const Stepper *s, const Frame *frame, const Op *op);
uint32_t step_depth(const Stepper *s, const Frame *frame, const Op *op); /* of calls, inlined ones too */
bool step_arm(Stepper *s, const StepGo *go, Err *err);
void step_disarm(Stepper *s);

/* --- step/moment.c --- */
Warp *step_warp(const Stepper *s); /* in focus */
/* The split of the warp that runs or runs next, and where it is. */
Split *step_split(const Stepper *s, const Warp *w);
const Op *step_op(const Stepper *s, const Warp *w, const Split *split);
const PtxInstr *step_instr(const Frame *frame, const Op *op);
void step_describe(Stepper *s, Arena *arena, StepMoment *out);

#endif
