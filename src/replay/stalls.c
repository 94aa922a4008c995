/* replay.h: how reasons of stalls are called. */
#include "replay/replay.h"

#define STALL_NAME(name, text, meaning) text,
#define STALL_MEANING(name, text, meaning) meaning,

const char *const stall_names[] = {STALLS(STALL_NAME) NULL};

const char *stall_meaning(Stall stall) {
	static const char *const meanings[] = {STALLS(STALL_MEANING)};
	return meanings[stall];
}
