/* calls.h: the fields of the records that are no backend's. */
#include "exec/calls.h"

RECORD(ExecFacts, FIELD_GPU(ExecFacts, gpu),
	   FIELDS(ExecFacts, pool_at, pool_bytes, check, early, moves, predict, steps, streams))
RECORD(ExecPlace, FIELDS(ExecPlace, addr, at))

static bool params_fit(const void *value) {
	const ExecKernel *k = value;
	for (uint32_t i = 0; i < k->nparams; i++)
		if (k->params[i].offset > k->param_bytes || k->params[i].size > k->param_bytes - k->params[i].offset)
			return false;
	return true;
}
RECORD_VALID(ExecKernel, params_fit, FIELD_RECORD(ExecKernel, info, KernelInfo),
			 FIELDS(ExecKernel, target, param_bytes),
			 FIELD_LIST(ExecKernel, params, nparams, ParamPlace, EXEC_MOST_PARAMS))

RECORD(ExecWrite, FIELD(ExecWrite, addr), FIELD_BYTES(ExecWrite, data, bytes))

static bool width_fits(const void *value) {
	const ExecFill *f = value;
	return f->width >= 1 && f->width <= sizeof f->value;
}
RECORD_VALID(ExecFill, width_fits, FIELDS(ExecFill, addr, bytes, value, width))

static bool time_right(const void *value) {
	return ((const ExecEnded *)value)->milliseconds >= 0;
}
RECORD_VALID(ExecEnded, time_right, FIELD_ENUM(ExecEnded, status, LAUNCH_INTERRUPTED),
			 FIELD_ENUM(ExecEnded, fault, FAULT_UNKNOWN), FIELDS(ExecEnded, milliseconds, lives),
			 FIELD_LIST(ExecEnded, touched, ntouched, Touched, MOST_TOUCHED))
RECORD(ExecRefused, FIELD_RECORD(ExecRefused, launch, BackendLaunch), FIELD_REQUIRED(ExecRefused, why))
RECORD(ExecText, FIELDS(ExecText, text, missing))

RECORD(ExecCall, FIELDS(ExecCall, call, object), FIELD_LIST(ExecCall, places, nplaces, Number, EXEC_MOST_PLACES))
RECORD(ExecAlloc, FIELD_RECORD(ExecAlloc, by, ExecCall), FIELDS(ExecAlloc, bytes, again, variable),
	   FIELD_REQUIRED(ExecAlloc, kind))
RECORD(ExecRelease, FIELD_RECORD(ExecRelease, by, ExecCall), FIELDS(ExecRelease, addr))
RECORD(ExecFailure, FIELD_RECORD(ExecFailure, by, ExecCall), FIELDS(ExecFailure, number, error, cause))
RECORD(ExecEarly, FIELD_RECORD(ExecEarly, by, ExecCall), FIELDS(ExecEarly, addr, writes),
	   FIELD_REQUIRED(ExecEarly, what))
RECORD(ExecMoved, FIELD_RECORD(ExecMoved, by, ExecCall), FIELD_RECORD(ExecMoved, rows, Moved), FIELDS(ExecMoved, bytes))

RECORD(ExecOperation, FIELDS(ExecOperation, stream, number),
	   FIELD_LIST(ExecOperation, before, nbefore, Number, EXEC_MOST_STREAMS),
	   FIELD_LIST(ExecOperation, waited, nwaited, Number, EXEC_MOST_STREAMS))

static bool pieces_ascend(const void *value) {
	const ExecTouched *t = value;
	for (uint32_t i = 1; i < t->n; i++)
		if (t->touched[i].addr < t->touched[i - 1].addr + t->touched[i - 1].bytes) return false;
	return true;
}
RECORD_VALID(ExecTouched, pieces_ascend, FIELD_RECORD(ExecTouched, by, ExecCall),
			 FIELD_LIST(ExecTouched, touched, n, Touched, MOST_TOUCHED), FIELD_REQUIRED(ExecTouched, what))

const Message exec_messages[EXEC_NCALLS] = {
#define X(name, Request, Answer) [EXEC_##name] = {#name, &Request##_record, &Answer##_record},
	EXEC_CALLS(X)
#undef X
};
