#include "model/error.h"

#include <string.h>

#define ATOMICS_SHARE 0.01

enum { LEFT_OUT_ERROR = -2, ORDERED_FROM }; /* next to KernelKind, of any kernel */

static const struct {
	const char *gpu;
	int kind;
	double value;
} known[] = {
#define ERROR(gpu, kind, rms) {gpu, KIND_##kind, rms},
#define LEFT_OUT(gpu, rms) {gpu, LEFT_OUT_ERROR, rms},
#define ORDERED(gpu, ratio) {gpu, ORDERED_FROM, ratio},
#include "model/errors.def"
};

static double known_of(const Gpu *gpu, int kind) {
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(known[i].gpu, gpu->name) && known[i].kind == kind) return known[i].value;
	return 0;
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
	return known_of(p->gpu, (int)kernel_kind(p));
}

double left_out_error(const Gpu *gpu) {
	return known_of(gpu, LEFT_OUT_ERROR);
}

double known_order(const Prediction *p) {
	const KernelKind kind = kernel_kind(p);
	const bool of_a_kind = kind == KIND_ATOMICS || kind == KIND_BULK || kind == KIND_UNEQUAL;
	return of_a_kind ? 0 : known_of(p->gpu, ORDERED_FROM);
}
