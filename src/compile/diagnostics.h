/* NVRTC's log, read back into messages. */
#pragma once

#include "compile/compile.h"

/* Appends what the log says. Counts ("2 errors detected...") and remarks about options are dropped; what has no known
 * shape becomes a note, so that nothing NVRTC says is lost. */
void diagnostics_parse(const char *log, Diagnostics *diags);

void diagnostics_add(Diagnostics *diags, DiagKind kind, const char *file, uint32_t line, uint32_t column,
					 const char *message, const char *source_line);
