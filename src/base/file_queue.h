/* A queue of processes on one file: first come, first served. A place in it is a lock on one byte far behind the file's
 * contents (open file description locks), so the system gives it up when its holder dies, and the others move on. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The last place of an open file that may be written. False (errno): there is none to be had. */
bool turn_take(int fd, uint64_t *ticket);
/* How many are before, and in *all (may be NULL) how many there are. A place of the same descriptor does not count. */
unsigned turn_before(int fd, uint64_t ticket, unsigned *all);
