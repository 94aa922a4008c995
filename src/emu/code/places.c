/* places.h */
#include "emu/code/places.h"

#include <string.h>

#include "base/str.h"

bool of_toolkit(const char *file) {
	return strstr(file, "/include/") && (strstr(file, "cuda") || text_starts(file, "/usr/include/"));
}

Place place_of(const PtxModule *m, const PtxInstr *in) {
	if (!in || !in->file) return (Place){"", 0};
	Place best = {m->files[in->file], in->line};
	uint32_t up = in->inlined_at;
	for (unsigned steps = 0; up && of_toolkit(best.file) && steps < 256; steps++) {
		const PtxInlined *at = &m->inlined[up - 1];
		best = (Place){m->files[at->file], at->line};
		up = at->inlined_at;
	}
	return best;
}
