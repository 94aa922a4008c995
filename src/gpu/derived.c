/* The GPUs that were derived: never freed, because devices, models and reports point at them. */
#include "gpu/internal.h"

static Derived *derived[MOST_DERIVED];
static size_t nderived;

const Gpu *gpu_derived_at(size_t index) {
	for (size_t i = 0; i < nderived; i++)
		if (!derived[i]->hidden && !index--) return &derived[i]->gpu;
	return NULL;
}

bool gpu_derived_full(void) {
	return nderived == MOST_DERIVED;
}

void gpu_derived_add(Derived *gpu, const Gpu *namesake) {
	for (size_t i = 0; i < nderived; i++)
		if (&derived[i]->gpu == namesake) derived[i]->hidden = true;
	derived[nderived++] = gpu;
}
