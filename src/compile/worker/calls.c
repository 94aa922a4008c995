/* calls.h: the records. */
#include "compile/worker/calls.h"

RECORD(CompileText, FIELD_TEXT(CompileText, text))
RECORD(CompileFile, FIELD_TEXT(CompileFile, path), FIELD_TEXT(CompileFile, text))

static bool open_answer_valid(const void *value) {
	return ((const OpenAnswer *)value)->library != NULL;
}

static bool texts_there(const CompileText *texts, uint32_t n) {
	for (uint32_t i = 0; i < n; i++)
		if (!texts[i].text) return false;
	return true;
}

static bool open_request_valid(const void *value) {
	const OpenRequest *r = value;
	return r->library && texts_there(r->read, r->nread);
}

static bool input_valid(const void *value) {
	const NvrtcInput *in = value;
	for (uint32_t i = 0; i < in->nfiles; i++)
		if (!in->files[i].path || !in->files[i].text) return false;
	return in->source && in->path && texts_there(in->names, in->nnames) && texts_there(in->options, in->noptions);
}

static bool output_valid(const void *value) {
	const NvrtcOutput *out = value;
	return out->log && texts_there(out->linked, out->nlinked) && (out->ptx || !out->cubin_bytes);
}

RECORD_VALID(OpenRequest, open_request_valid, FIELD_TEXT(OpenRequest, library), FIELD_NUMBER(OpenRequest, memory_bytes),
			 FIELD_LIST(OpenRequest, read, nread, CompileText, COMPILE_TEXTS), FIELD_TEXT(OpenRequest, write))

RECORD(PrepareAnswer, FIELD_BOOL(PrepareAnswer, made))

RECORD_VALID(OpenAnswer, open_answer_valid, FIELD_TEXT(OpenAnswer, library), FIELD_NUMBER(OpenAnswer, major),
			 FIELD_NUMBER(OpenAnswer, minor), FIELD_RECORD(OpenAnswer, sandbox, SandboxState))

RECORD_VALID(NvrtcInput, input_valid, FIELD_TEXT(NvrtcInput, source), FIELD_TEXT(NvrtcInput, path),
			 FIELD_NUMBER(NvrtcInput, cc), FIELD_NUMBER(NvrtcInput, seconds),
			 FIELD_LIST(NvrtcInput, names, nnames, CompileText, COMPILE_TEXTS),
			 FIELD_LIST(NvrtcInput, options, noptions, CompileText, COMPILE_TEXTS),
			 FIELD_LIST(NvrtcInput, files, nfiles, CompileFile, COMPILE_TEXTS), FIELD_BOOL(NvrtcInput, ptx_only),
			 FIELD_BOOL(NvrtcInput, once), FIELD_TEXT(NvrtcInput, headers))

RECORD_VALID(NvrtcOutput, output_valid, FIELD_BYTES(NvrtcOutput, cubin, cubin_bytes), FIELD_TEXT(NvrtcOutput, ptx),
			 FIELD_TEXT(NvrtcOutput, log), FIELD_LIST(NvrtcOutput, linked, nlinked, CompileText, COMPILE_TEXTS),
			 FIELD_NUMBER(NvrtcOutput, cc), FIELD_NUMBER(NvrtcOutput, milliseconds),
			 FIELD_BOOL(NvrtcOutput, precompiled), FIELD_BOOL(NvrtcOutput, out_of_memory))
