/* Checkers: observers of an emulated launch that look for mistakes which need not crash it.
 * checkers.def lists them.
 *
 * A CheckSet is attached to a launch like Counters: pass its observers. Findings are values; nothing prints.
 * Each pair of source lines has one entry, with a count.
 * Findings are those of the last launch.
 * Ownership: the CheckSet owns its observers and findings; findings hold copies and outlive module and machine. */
#pragma once

#include "base/err.h"
#include "emu/observer.h"

enum {
#define CHECKER(id, name, what) CHECKER_##id,
#include "emu/check/checkers.def"
#undef CHECKER
	CHECKERS
};

typedef enum {
#define CHECKER(id, name, what) CHECK_##id = 1 << CHECKER_##id,
#include "emu/check/checkers.def"
#undef CHECKER
	CHECK_ALL = (1 << CHECKERS) - 1
} CheckFlag;

typedef struct {
	char file[256]; /* "" where the place is not known */
	uint32_t line;
	bool known; /* block and thread are known */
	uint32_t block[3], thread[3];
	char access[12]; /* "load", "store", "atomic", "barrier"; "" */
} FindingSite;

typedef struct {
	CheckFlag check;
	uint32_t nsites;     /* 0: about the whole launch */
	FindingSite site[2]; /* [0]: where it was detected; [1]: the other side */
	char space[8];       /* "global", "shared", "local" or "" */
	char buffer[64];     /* the buffer's or variable's name, or "" */
	int64_t offset;      /* bytes from its start */
	size_t buffer_bytes;
	uint32_t width;    /* bytes of the access per thread; 0: none */
	uint64_t address;  /* of a fault; else 0 */
	uint64_t count;    /* number of occurrences */
	char message[640]; /* whole sentences */
	char hint[320];    /* how to fix it */
} Finding;

typedef struct CheckSet CheckSet;

CheckSet *checks_new(const Gpu *gpu, unsigned flags);
void checks_free(CheckSet *set); /* NULL is allowed */
Observer **checks_observers(CheckSet *set, size_t *count);
/* Findings in the order of check, file and line. Valid until the next launch with these observers, or checks_free. */
const Finding *checks_findings(const CheckSet *set, size_t *count);

const char *check_name(CheckFlag flag); /* "race" */
/* "race,init", "all". False with err (ERR_USAGE) for an unknown word. */
bool checks_parse(const char *list, unsigned *flags, Err *err);
