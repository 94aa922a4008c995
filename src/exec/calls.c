/* calls.h: the fields of every record. */
#include "exec/calls.h"

const Record ExecNothing_record = {"ExecNothing", sizeof(ExecNothing), NULL, 0, NULL};
RECORD(ExecNumber, FIELD(ExecNumber, value))

RECORD(ExecFacts, FIELDS(ExecFacts, pool_at, pool_bytes, check, predict, count, steps, streams, clusters, name, cc, sms,
						 clock_ghz, dram_gbps, to_device_gbps, from_device_gbps, copy_us, l2_bytes, shared_per_block,
						 shared_per_sm, shared_reserved, threads_per_block, warps_per_sm, blocks_per_sm,
						 registers_per_sm, copy_engines, max_grid, max_block))

RECORD(ExecAlloc, FIELDS(ExecAlloc, bytes, wanted, name))
RECORD(ExecPlace, FIELDS(ExecPlace, addr, bytes, at))

RECORD(ExecCode, FIELD_REQUIRED(ExecCode, ptx), FIELD_BYTES(ExecCode, cubin, cubin_bytes))

RECORD(ExecName, FIELD(ExecName, module), FIELD_REQUIRED(ExecName, name))

RECORD(ExecParam, FIELDS(ExecParam, offset, size))

static bool params_fit(const void *value) {
	const ExecKernel *k = value;
	for (uint32_t i = 0; i < k->nparams; i++)
		if (k->params[i].offset > k->param_bytes || k->params[i].size > k->param_bytes - k->params[i].offset)
			return false;
	return true;
}
RECORD_VALID(ExecKernel, params_fit,
			 FIELDS(ExecKernel, registers, max_threads, target, static_shared, local_bytes, const_bytes, param_bytes),
			 FIELD_LIST(ExecKernel, params, nparams, ExecParam, EXEC_MOST_PARAMS))

RECORD(ExecShape, FIELDS(ExecShape, module, threads, shared), FIELD_REQUIRED(ExecShape, name))

static bool all_or_nothing(const void *value) {
	const ExecWrite *w = value;
	return w->data_bytes == 0 || w->data_bytes == w->bytes;
}
RECORD_VALID(ExecWrite, all_or_nothing, FIELDS(ExecWrite, addr, bytes), FIELD_BYTES(ExecWrite, data, data_bytes))

static bool short_enough(const void *value) {
	return ((const ExecRange *)value)->bytes <= FRAME_MAX / 2;
}
RECORD_VALID(ExecRange, short_enough, FIELDS(ExecRange, addr, bytes))
RECORD(ExecBytes, FIELD_BYTES(ExecBytes, data, bytes))

/* What a program sets of a launch; the rest is gpulab's. */
typedef LaunchConfig ExecConfig;
RECORD(ExecConfig, FIELDS(ExecConfig, grid, block, shared_bytes, heap_bytes, cooperative))

RECORD(ExecCall, FIELD(ExecCall, module), FIELD_REQUIRED(ExecCall, name), FIELD_RECORD(ExecCall, config, ExecConfig),
	   FIELD_BYTES(ExecCall, params, param_bytes))

static bool time_right(const void *value) {
	return ((const ExecEnded *)value)->milliseconds >= 0;
}
RECORD_VALID(ExecEnded, time_right, FIELD_ENUM(ExecEnded, status, LAUNCH_INTERRUPTED),
			 FIELD_ENUM(ExecEnded, fault, FAULT_UNKNOWN), FIELDS(ExecEnded, milliseconds, lives))

static bool texture_right(const void *value) {
	return texture_check(value, NULL);
}
typedef TextureDesc ExecTextureDesc;
RECORD_VALID(ExecTextureDesc, texture_right, FIELDS(ExecTextureDesc, surface, linear_memory),
			 FIELD_ENUM(ExecTextureDesc, type, ELEM_TYPES - 1),
			 FIELDS(ExecTextureDesc, channels, width, height, depth, layers),
			 FIELD_ENUM(ExecTextureDesc, address, ADDRESS_MODES - 1),
			 FIELDS(ExecTextureDesc, filter, normalized, read_float))
RECORD(ExecTexture, FIELD_RECORD(ExecTexture, desc, ExecTextureDesc))
RECORD(ExecTextureMade, FIELDS(ExecTextureMade, number, object))
RECORD(ExecTextureCopy, FIELDS(ExecTextureCopy, number, addr, into_texture))
RECORD(ExecText, FIELD(ExecText, text))

const ExecMessage exec_messages[EXEC_NCALLS] = {
#define X(name, Request, Answer) [EXEC_##name] = {#name, &Request##_record, &Answer##_record},
	EXEC_CALLS(X)
#undef X
};
