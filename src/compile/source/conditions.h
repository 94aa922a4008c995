/* What #if leaves out, as far as the text shows it: a name that another file, an option or the toolkit may define is
 * neither defined nor undefined, and what hangs on it is not left out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "compile/source/device_code.h"

/* Whether that line of files[file] is surely left out. files: of the unit, the source first; options: NVRTC's, NULL or
 * NULL-terminated. */
bool conditions_leave_out(Arena *arena, const UnitFile *files, size_t nfiles, size_t file, uint32_t line,
						  const char *const *options);
