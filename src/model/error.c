#include "model/error.h"

#include <string.h>

#define ATOMICS_SHARE 0.01

static const struct {
	const char *gpu;
	KernelKind kind;
	double rms;
} errors[] = {
#define ERROR(gpu, kind, rms) {gpu, KIND_##kind, rms},
#define LEFT_OUT(gpu, rms)
#define ORDERED(gpu, ratio)
#include "model/errors.def"
#undef ERROR
#undef LEFT_OUT
#undef ORDERED
};

typedef struct {
	const char *gpu;
	double value;
} OfGpu;

static const OfGpu ordered[] = {
#define ERROR(gpu, kind, rms)
#define LEFT_OUT(gpu, rms)
#define ORDERED(gpu, ratio) {gpu, ratio},
#include "model/errors.def"
#undef LEFT_OUT
#undef ORDERED
	{NULL, 0}};

static const OfGpu left_out[] = {
#define LEFT_OUT(gpu, rms) {gpu, rms},
#define ORDERED(gpu, ratio)
#include "model/errors.def"
#undef ERROR
#undef LEFT_OUT
#undef ORDERED
	{NULL, 0}};

static double of_gpu(const OfGpu *rows, const Gpu *gpu) {
	while (rows->gpu && strcmp(rows->gpu, gpu->name)) rows++;
	return rows->value;
}

static KernelKind kind_of(Limit limit) {
	switch (limit) {
	case LIMIT_DRAM:
	case LIMIT_PAGES:
	case LIMIT_L2: return KIND_MEMORY;
	case LIMIT_L1:
	case LIMIT_SHARED:
	case LIMIT_CONSTANT:
	case LIMIT_TEXTURES: return KIND_SHARED;
	case LIMIT_BARRIERS:
	case LIMIT_LATENCY:
	case LIMIT_BLOCKS: return KIND_LATENCY;
	case LIMIT_ATOMICS: return KIND_ATOMICS;
	default: return KIND_COMPUTE;
	}
}

KernelKind kernel_kind(const Prediction *p) {
	if (p->bulk) return KIND_BULK;
	if (p->unequal && p->milliseconds <= p->replayed_ms) return KIND_UNEQUAL;
	if (p->limits[LIMIT_ATOMICS] > ATOMICS_SHARE * p->milliseconds) return KIND_ATOMICS;
	return kind_of(prediction_longest(p));
}

const char *kernel_kind_name(KernelKind kind) {
	static const char *const names[] = {[KIND_MEMORY] = "DRAM or L2",     [KIND_SHARED] = "L1 or shared memory",
										[KIND_COMPUTE] = "arithmetic",    [KIND_LATENCY] = "latency or block launches",
										[KIND_ATOMICS] = "atomics",       [KIND_BULK] = "bulk copies",
										[KIND_UNEQUAL] = "unequal blocks"};
	return names[kind];
}

double known_error(const Prediction *p) {
	const KernelKind kind = kernel_kind(p);
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (!strcmp(errors[i].gpu, p->gpu->name) && errors[i].kind == kind) return errors[i].rms;
	return 0;
}

double left_out_error(const Gpu *gpu) {
	return of_gpu(left_out, gpu);
}

double known_order(const Prediction *p) {
	const KernelKind kind = kernel_kind(p);
	const bool of_a_kind = kind == KIND_ATOMICS || kind == KIND_BULK || kind == KIND_UNEQUAL;
	return of_a_kind ? 0 : of_gpu(ordered, p->gpu);
}
