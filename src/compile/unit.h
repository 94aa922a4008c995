/* A source with the headers of its own as NVRTC is given them: device code alone, where there is host code too. */
#pragma once

#include "compile/compile.h"
#include "compile/headers.h"
#include "compile/source/device_code.h"
#include "compile/worker/calls.h"

typedef struct {
	DeviceCode code;
	bool changed;             /* no: the source goes as it is, and what follows is empty */
	const char *source;       /* begins with the CUDA headers that the code uses; a #line keeps the lines of the rest */
	const char *prefix;       /* those first lines; NULL: there are none */
	const CompileFile *files; /* to be given with it, and the first nhost with the prefix alone, too */
	uint32_t nfiles, nhost;
} Unit;

/* out lives in the arena, and as long as the job and the headers. */
void unit_read(Arena *arena, const CompileJob *job, const HeaderReport *headers, Unit *out);

/* What to do about an error that comes from what was left out. */
bool unit_hint(const Unit *unit, const Diagnostic *error, Err *err);
/* What of Thrust there is in device code, and what to use for the rest; true. */
bool unit_hint_thrust(Err *err);
/* Which headers were left out because nothing has their names: whatever failed may follow from that. */
bool unit_hint_missing(const Unit *unit, Err *err);
