/* replay.h: how reasons of stalls are called. */
#include "replay/replay.h"

#define STALL_NAME(name, text, meaning) text,

const char *const stall_names[] = {STALLS(STALL_NAME) NULL};
