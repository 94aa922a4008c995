/* calls.h: the records. */
#include "compile/worker/calls.h"

RECORD(CompileText, FIELD_REQUIRED(CompileText, text))
RECORD(CompileFile, FIELD_REQUIRED(CompileFile, path), FIELD_REQUIRED(CompileFile, text))

RECORD(OpenRequest, FIELD_REQUIRED(OpenRequest, library), FIELD(OpenRequest, memory_bytes),
	   FIELD_LIST(OpenRequest, read, nread, CompileText, COMPILE_TEXTS), FIELD(OpenRequest, write))
RECORD(OpenAnswer, FIELD_REQUIRED(OpenAnswer, library), FIELDS(OpenAnswer, major, minor),
	   FIELD_RECORD(OpenAnswer, sandbox, SandboxState))

RECORD(PrepareAnswer, FIELD(PrepareAnswer, made))

RECORD(NvrtcInput, FIELD_REQUIRED(NvrtcInput, source), FIELD_REQUIRED(NvrtcInput, path),
	   FIELDS(NvrtcInput, cc, seconds, ptx_only, once, headers),
	   FIELD_LIST(NvrtcInput, names, nnames, CompileText, COMPILE_TEXTS),
	   FIELD_LIST(NvrtcInput, options, noptions, CompileText, COMPILE_TEXTS),
	   FIELD_LIST(NvrtcInput, files, nfiles, CompileFile, COMPILE_TEXTS))

static bool output_valid(const void *value) {
	const NvrtcOutput *out = value;
	return out->ptx || !out->cubin_bytes;
}
RECORD_VALID(NvrtcOutput, output_valid, FIELD_REQUIRED(NvrtcOutput, log), FIELDS(NvrtcOutput, ptx, cc, milliseconds),
			 FIELD_BYTES(NvrtcOutput, cubin, cubin_bytes), FIELDS(NvrtcOutput, precompiled, out_of_memory),
			 FIELD_LIST(NvrtcOutput, linked, nlinked, CompileText, COMPILE_TEXTS))
