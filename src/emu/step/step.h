/* Stepping: a launch that stops between any two instructions, is looked at, and goes on, forward or back.
 *
 * One block is in focus (with the blocks of its cluster). The blocks before it run first, as in any launch; then its
 * warps run in an order that is always the same, so that a number of steps names a moment of the launch:
 *
 *     stepper_open ... stepper_go forward, back ... stepper_look ... stepper_close
 *
 * Going back puts the block back to one of a few images that were kept on the way (step/image.c), the first of them at
 * its beginning, and runs from there to the earlier moment. A launch that is not stepped keeps none and costs nothing.
 *
 * What a program is asked for is an expression over the lanes of a warp, in postfix notation (step/value.c):
 * "%r3:s32 #1:s32 add:s32". The prompt makes it from what the user types.
 *
 * Memory: the launch's buffers are changed while it is stepped, and are as they were before after stepper_close.
 * Objects that the block in focus freed stay freed when it goes back. */
#pragma once

#include "emu/machine.h"

typedef struct Stepper Stepper;

typedef struct {
	uint32_t block; /* linear */
	uint32_t warp;  /* in the block */
} StepFocus;

/* Where a run of the block in focus stops; the number is the caller's. */
typedef enum {
	STOP_AT_LINE,     /* a warp gets to the line */
	STOP_AT_FUNCTION, /* a warp begins the function */
	STOP_AT_ADDRESS,  /* a lane accesses one of the bytes; the stop is before the access */
	STOP_AT_CHANGE,   /* the condition's value changes, for a lane of the warp in focus; several of one number: a value
					   * that is in different places at different instructions */
	STOP_AT_KINDS
} StopKind;

typedef struct {
	uint32_t number;
	StopKind kind;
	const char *name;      /* LINE: the file, its path or the end of it; FUNCTION: as linked, or a kernel's */
	uint32_t line;         /* LINE */
	uint32_t first, last;  /* LINE, CHANGE: only at instructions from and to these lines of the PTX; 0, 0: at all */
	int32_t warp;          /* only this one; -1: any */
	uint32_t lanes;        /* only if one of them is active; 0: any */
	uint32_t depth;        /* CHANGE: only this many calls deep, the kernel itself 1; 0: at all */
	const char *condition; /* only if it holds for an active lane; CHANGE: the value; NULL: always */
	uint64_t address;      /* ADDRESS, with its space */
	uint32_t bytes;
	PtxSpace space;
	bool stores_only;
} StepStop;

typedef enum {
	GO_INSTRUCTION, /* of the warp in focus, `count` of them; so with line and over */
	GO_LINE,        /* to another line, or the same one again */
	GO_OVER,        /* the same, without stops in functions it calls */
	GO_OUT,         /* until the function it is in has returned */
	GO_ON,          /* until a stop */
	GO_BARRIER,     /* until the warp is about to wait */
	GO_TIME,        /* to that moment */
	GO_HERE,        /* nowhere: what the moment is after a move that was interrupted */
	GO_WAYS
} StepWay;

typedef struct {
	StepWay way;
	bool back;
	uint64_t count;        /* TIME: the moment */
	StepFocus focus;       /* another block begins the launch again */
	const StepStop *stops; /* [nstops]: of every way but TIME */
	uint32_t nstops;
	bool trace; /* the moment has the events on the way */
} StepGo;

typedef enum {
	HALT_BEGIN,       /* the block is about to begin */
	HALT_DONE,        /* as far as it was asked to go */
	HALT_STOP,        /* a StepStop; its number is in `stop` */
	HALT_FAULT,       /* the next instruction faults */
	HALT_WARP_ENDED,  /* all threads of the warp in focus have ended */
	HALT_BLOCK_ENDED, /* all of the block */
	HALT_TIME,        /* the launch's time limit */
	HALT_CANCELLED,
	HALT_REFUSED, /* the launch cannot run: the message says why */
	HALTS
} StepHalt;

/* Lanes of the warp that are together: those that run, and those that wait at another place. */
typedef enum { SIDE_RUNS, SIDE_OTHER_BRANCH, SIDE_REJOINS, SIDE_BARRIER, SIDE_SYNC, SIDE_RETURNS, SIDES } SideState;
typedef struct {
	SideState state;
	uint32_t mask;
	uint32_t line;        /* where it goes on; 0: not known */
	uint32_t text_line;   /* the same in the PTX text */
	uint32_t rejoin_line; /* where it meets others again; 0: at the end */
	uint32_t barrier;     /* BARRIER */
} StepSide;

typedef enum { WARP_READY, WARP_AT_BARRIER, WARP_AT_SYNC, WARP_ENDED, WARP_STATES } StepWarpState;
typedef struct {
	StepWarpState state;
	uint32_t mask, alive, lanes; /* that run next; that have not ended; that there are */
	uint32_t line;
	uint32_t barrier;
	uint64_t instructions;
} StepWarp;

typedef struct {
	uint32_t id, arrived, expected; /* threads; expected: how many it waits for */
} StepBarrier;

/* A call, the innermost first; one that the compiler inlined is a call, too. */
typedef struct {
	const char *function, *file; /* the function as linked, or its name where it was inlined */
	uint32_t line;
	bool inlined;
} StepFrame;

/* What the warp in focus accesses from here to the next line. */
typedef struct {
	uint32_t line;
	AccessKind kind;
	PtxSpace space;
	uint32_t width, mask;
	uint64_t addr[32];
	char name[64]; /* of the buffer or variable, "" unknown */
	uint64_t base; /* its address */
} StepAccess;

/* A warp of the block got to a line, or is about to wait at a barrier. */
typedef struct {
	uint64_t time;
	uint32_t warp, line, mask;
	bool barrier;
} StepEvent;
enum { STEP_EVENTS = 1 << 18 }; /* at most */

typedef struct {
	StepHalt halt;
	uint32_t stop;  /* HALT_STOP */
	uint64_t time;  /* the moment: operations since the block began */
	uint64_t count; /* instructions of the warp in focus until now */
	uint32_t block[3];
	uint32_t warp;
	uint32_t mask, alive, lanes;
	uint32_t line;
	const char *file;
	const char *instruction; /* the next one, as PTX */
	uint32_t text_line;      /* its line in the PTX text */
	char message[512];
	const char *printed;    /* the end of what the block has printed */
	uint64_t printed_bytes; /* all of it */
	Fault fault;            /* HALT_FAULT; else of an access from here to the next line */
	StepSide *sides;
	uint32_t nsides;
	StepWarp *warps;
	uint32_t nwarps;
	StepBarrier *barriers;
	uint32_t nbarriers;
	StepFrame *frames;
	uint32_t nframes;
	StepAccess *accesses;
	uint32_t naccesses;
	StepEvent *events;
	uint32_t nevents;
} StepMoment;

/* Where code of a line begins. */
typedef struct {
	const char *file, *function; /* as linked */
	uint32_t line, text_line;    /* text_line: in the PTX text */
	bool inlined;                /* the code of a function that the compiler inlined */
} StepPlace;

/* Takes over nothing: kernel and machine outlive it; the launch is copied. NULL with err, or with *refused for a launch
 * that the GPU does not allow. Observers of the launch are ignored. */
Stepper *stepper_open(Machine *machine, const EmuKernel *kernel, const EmuLaunch *launch, LaunchOutcome *refused,
					  Err *err);
void stepper_close(Stepper *stepper); /* NULL is allowed */
/* Lines that a stop can be at, in the arena. */
StepPlace *stepper_places(const Stepper *stepper, Arena *arena, uint32_t *count);

/* Goes, and describes where it came to; lists are in the arena. False with err for a request without sense. */
bool stepper_go(Stepper *stepper, const StepGo *go, Arena *arena, StepMoment *out, Err *err);

typedef enum { VALUE_S32, VALUE_U32, VALUE_S64, VALUE_U64, VALUE_F32, VALUE_F64, VALUE_TYPES } ValueType;
typedef struct {
	ValueType type;
	uint32_t known;    /* lanes that have a value */
	uint64_t lane[32]; /* the value's bits */
	char trouble[160]; /* why no lane has one, else "" */
} StepValue;
/* Values of expressions for the lanes of the warp in focus, where it is. */
void stepper_values(Stepper *stepper, const char *const *expressions, uint32_t n, StepValue *out);
