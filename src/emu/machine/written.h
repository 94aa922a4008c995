/* Which bytes of a buffer were written, where it is tracked (memory.h): what the host does to it from elsewhere.
 * Addresses that are in no buffer, and buffers that are not tracked, are left as they are, and count as written. */
#pragma once

#include "emu/machine.h"

typedef struct {
	uint64_t at, bytes; /* at: from the beginning of what was asked about */
} Gap;

/* The buffer is tracked from now on, and the host writes to it without a word. So it is filled with a value that no
 * program writes, which is a NaN in every format, and what differs from that was written. */
void machine_await_host(Machine *machine, uint64_t addr);
void machine_look_for_host(Machine *machine, uint64_t addr);

/* Bytes were copied: those that nothing wrote at the source are unwritten at the destination. from 0: the host wrote
 * all of them. */
void machine_move_written(Machine *machine, uint64_t to, uint64_t from, size_t bytes);

/* The next range of bytes that nothing wrote, from the offset `from` on, of the bytes at addr. False: there is none. */
bool machine_gap(Machine *machine, uint64_t addr, size_t bytes, size_t from, Gap *out);
