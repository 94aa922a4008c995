/* calls.h: the fields of every record. */
#include "exec/calls.h"

const Record ExecNothing_record = {"ExecNothing", sizeof(ExecNothing), NULL, 0, NULL};
RECORD(ExecNumber, FIELD_NUMBER(ExecNumber, value))

RECORD(ExecFacts, FIELD_NUMBER(ExecFacts, pool_at), FIELD_NUMBER(ExecFacts, pool_bytes), FIELD_BOOL(ExecFacts, check),
	   FIELD_BOOL(ExecFacts, predict), FIELD_BOOL(ExecFacts, steps), FIELD_NUMBER(ExecFacts, streams),
	   FIELD_BOOL(ExecFacts, clusters), FIELD_CHARS(ExecFacts, name), FIELD_NUMBER(ExecFacts, cc),
	   FIELD_NUMBER(ExecFacts, sms), FIELD_NUMBER(ExecFacts, clock_ghz), FIELD_NUMBER(ExecFacts, dram_gbps),
	   FIELD_NUMBER(ExecFacts, to_device_gbps), FIELD_NUMBER(ExecFacts, from_device_gbps),
	   FIELD_NUMBER(ExecFacts, copy_us), FIELD_NUMBER(ExecFacts, l2_bytes), FIELD_NUMBER(ExecFacts, shared_per_block),
	   FIELD_NUMBER(ExecFacts, shared_per_sm), FIELD_NUMBER(ExecFacts, shared_reserved),
	   FIELD_NUMBER(ExecFacts, threads_per_block), FIELD_NUMBER(ExecFacts, warps_per_sm),
	   FIELD_NUMBER(ExecFacts, blocks_per_sm), FIELD_NUMBER(ExecFacts, registers_per_sm),
	   FIELD_NUMBER(ExecFacts, copy_engines), FIELD_NUMBER(ExecFacts, max_grid), FIELD_NUMBER(ExecFacts, max_block))

RECORD(ExecAlloc, FIELD_NUMBER(ExecAlloc, bytes), FIELD_NUMBER(ExecAlloc, wanted), FIELD_TEXT(ExecAlloc, name))
RECORD(ExecPlace, FIELD_NUMBER(ExecPlace, addr), FIELD_NUMBER(ExecPlace, bytes), FIELD_NUMBER(ExecPlace, at))

static bool has_code(const void *value) {
	return ((const ExecCode *)value)->ptx != NULL;
}
RECORD_VALID(ExecCode, has_code, FIELD_TEXT(ExecCode, ptx))

static bool has_name(const void *value) {
	return ((const ExecName *)value)->name != NULL;
}
RECORD_VALID(ExecName, has_name, FIELD_NUMBER(ExecName, module), FIELD_TEXT(ExecName, name))

RECORD(ExecParam, FIELD_NUMBER(ExecParam, offset), FIELD_NUMBER(ExecParam, size))

static bool params_fit(const void *value) {
	const ExecKernel *k = value;
	for (uint32_t i = 0; i < k->nparams; i++)
		if (k->params[i].offset > k->param_bytes || k->params[i].size > k->param_bytes - k->params[i].offset)
			return false;
	return true;
}
RECORD_VALID(ExecKernel, params_fit, FIELD_NUMBER(ExecKernel, registers), FIELD_NUMBER(ExecKernel, max_threads),
			 FIELD_NUMBER(ExecKernel, target), FIELD_NUMBER(ExecKernel, static_shared),
			 FIELD_NUMBER(ExecKernel, local_bytes), FIELD_NUMBER(ExecKernel, const_bytes),
			 FIELD_NUMBER(ExecKernel, param_bytes),
			 FIELD_LIST(ExecKernel, params, nparams, ExecParam, EXEC_MOST_PARAMS))

static bool shape_named(const void *value) {
	return ((const ExecShape *)value)->name != NULL;
}
RECORD_VALID(ExecShape, shape_named, FIELD_NUMBER(ExecShape, module), FIELD_TEXT(ExecShape, name),
			 FIELD_NUMBER(ExecShape, threads), FIELD_NUMBER(ExecShape, shared))

static bool all_or_nothing(const void *value) {
	const ExecWrite *w = value;
	return w->data_bytes == 0 || w->data_bytes == w->bytes;
}
RECORD_VALID(ExecWrite, all_or_nothing, FIELD_NUMBER(ExecWrite, addr), FIELD_NUMBER(ExecWrite, bytes),
			 FIELD_BYTES(ExecWrite, data, data_bytes))

static bool short_enough(const void *value) {
	return ((const ExecRange *)value)->bytes <= FRAME_MAX / 2;
}
RECORD_VALID(ExecRange, short_enough, FIELD_NUMBER(ExecRange, addr), FIELD_NUMBER(ExecRange, bytes))
RECORD(ExecBytes, FIELD_BYTES(ExecBytes, data, bytes))

/* What a program sets of a launch; the rest is gpulab's. */
typedef LaunchConfig ExecConfig;
RECORD(ExecConfig, FIELD_NUMBER(ExecConfig, grid), FIELD_NUMBER(ExecConfig, block),
	   FIELD_NUMBER(ExecConfig, shared_bytes), FIELD_NUMBER(ExecConfig, heap_bytes),
	   FIELD_BOOL(ExecConfig, cooperative))

static bool call_named(const void *value) {
	return ((const ExecCall *)value)->name != NULL;
}
RECORD_VALID(ExecCall, call_named, FIELD_NUMBER(ExecCall, module), FIELD_TEXT(ExecCall, name),
			 FIELD_RECORD(ExecCall, config, ExecConfig), FIELD_BYTES(ExecCall, params, param_bytes))

static bool time_right(const void *value) {
	return ((const ExecEnded *)value)->milliseconds >= 0;
}
RECORD_VALID(ExecEnded, time_right, FIELD_ENUM(ExecEnded, status, LAUNCH_INTERRUPTED),
			 FIELD_ENUM(ExecEnded, fault, FAULT_UNKNOWN), FIELD_NUMBER(ExecEnded, milliseconds),
			 FIELD_BOOL(ExecEnded, lives))

static bool texture_right(const void *value) {
	return texture_check(value, NULL);
}
typedef TextureDesc ExecTextureDesc;
RECORD_VALID(ExecTextureDesc, texture_right, FIELD_BOOL(ExecTextureDesc, surface),
			 FIELD_BOOL(ExecTextureDesc, linear_memory), FIELD_ENUM(ExecTextureDesc, type, ELEM_TYPES - 1),
			 FIELD_NUMBER(ExecTextureDesc, channels), FIELD_NUMBER(ExecTextureDesc, width),
			 FIELD_NUMBER(ExecTextureDesc, height), FIELD_NUMBER(ExecTextureDesc, depth),
			 FIELD_NUMBER(ExecTextureDesc, layers), FIELD_ENUM(ExecTextureDesc, address[0], ADDRESS_MODES - 1),
			 FIELD_ENUM(ExecTextureDesc, address[1], ADDRESS_MODES - 1),
			 FIELD_ENUM(ExecTextureDesc, address[2], ADDRESS_MODES - 1), FIELD_BOOL(ExecTextureDesc, filter),
			 FIELD_BOOL(ExecTextureDesc, normalized), FIELD_BOOL(ExecTextureDesc, read_float))
RECORD(ExecTexture, FIELD_RECORD(ExecTexture, desc, ExecTextureDesc))
RECORD(ExecTextureMade, FIELD_NUMBER(ExecTextureMade, number), FIELD_NUMBER(ExecTextureMade, object))
RECORD(ExecTextureCopy, FIELD_NUMBER(ExecTextureCopy, number), FIELD_NUMBER(ExecTextureCopy, addr),
	   FIELD_BOOL(ExecTextureCopy, into_texture))
RECORD(ExecText, FIELD_TEXT(ExecText, text))

const ExecMessage exec_messages[EXEC_NCALLS] = {
#define X(name, Request, Answer) [EXEC_##name] = {#name, &Request##_record, &Answer##_record},
	EXEC_CALLS(X)
#undef X
};
