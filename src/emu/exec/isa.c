/* Selects the compilation of the hot handlers for this machine. */
#include <stdlib.h>
#include <string.h>

#include "emu/code/handlers.h"
#include "emu/exec/out_of_line.h"

const Handler handlers_out_of_line[H_COUNT] = {
#define HANDLER(name) [H_##name] = run_##name,
#include "emu/code/out_of_line.def"
#undef HANDLER
};

typedef struct {
	const char *name;
	const Handler *table;
	SameShape same_shape;
} Isa;

static Isa choose(void) {
	const char *requested = getenv("GPULAB_ISA");
	(void)requested;
#ifdef GPULAB_X86_HANDLERS
	__builtin_cpu_init();
	const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
						__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
	const bool any = !requested || !*requested;
	if (avx512 && (any || !strcmp(requested, "avx512"))) return (Isa){"avx512", handlers_avx512, same_shape_avx512};
	if (avx2 && (any || !strcmp(requested, "avx512") || !strcmp(requested, "avx2")))
		return (Isa){"avx2", handlers_avx2, same_shape_avx2};
#endif
	return (Isa){"baseline", handlers_baseline, same_shape_baseline};
}

static const Isa *isa(void) {
	static Isa chosen;
	if (!chosen.name) chosen = choose();
	return &chosen;
}

SameShape same_shape_here(void) {
	return isa()->same_shape;
}

const char *handler_isa(void) {
	return isa()->name;
}

Handler handler(HandlerId id) {
	Handler h = handlers_out_of_line[id];
	return h ? h : isa()->table[id];
}
