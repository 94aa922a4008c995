/* What compilations, launches and Lua may take: one table (limits.def) of names, defaults and variables. A limit is
 * what the command line or Lua set, else what the environment says, else its default. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

typedef enum {
#define LIMIT(id, ...) LIMIT_##id,
#include "base/limits.def"
#undef LIMIT
	LIMITS
} LimitId;

typedef enum { UNIT_BYTES, UNIT_MB, UNIT_SECONDS } LimitUnit; /* values are in bytes or seconds */

typedef struct {
	const char *name, *variable, *example, *what;
	LimitUnit unit;
	double usual, least, most;
} LimitRow;

const LimitRow *limit_row(LimitId id);
/* Of the name, or of the one name that may have been meant in err's hint. */
bool limit_find(const char *name, LimitId *out, Err *err);

/* Where the environment makes no sense, the default; limits_check says so. */
double limit_of(LimitId id);
double limit_usual(LimitId id);
uint32_t limit_milliseconds(LimitId id); /* of one in seconds, rounded up */
bool limit_given(LimitId id);            /* by --limit or gpu.limits */
bool limit_is_set(LimitId id);           /* to other than the default, by whomever */
/* 0: as if never set. False with err (ERR_USAGE): outside the range. */
bool limit_set(LimitId id, double value, Err *err);
bool limit_set_text(LimitId id, const char *text, Err *err); /* "8G", "512M", "2.5" */
bool limit_assign(const char *text, Err *err);               /* "compile_memory=8G" */
bool limits_check(Err *err);                                 /* false with err (ERR_USAGE): a variable makes no sense */

void limit_value_text(LimitId id, double value, char *out, size_t size); /* "4 GB", "60 s" */
/* How to raise it, for messages: "--limit compile_memory=8G, ... " */
const char *limit_how(LimitId id);
