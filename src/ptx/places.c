/* places.h */
#include "ptx/places.h"

#include <string.h>

#include "base/str.h"

enum { STEPS = 256 };

/* NVRTC has it in itself: there is no such file. */
static bool is_built_in(const char *file) {
	return text_ends(file, "/__nv_nvrtc_builtin_header.h");
}

/* A header that comes with CUDA or the host's compiler. A file of one's own may be in an include folder, too. */
static bool of_toolkit(const char *file) {
	static const char names[] =
		"builtin_types c++/ cccl/ common_functions cooperative_groups crt/ cub/ cuda/ cuda_awbarrier cuda_bf16 "
		"cuda_device_runtime cuda_fp cuda_pipeline cuda_runtime curand device_atomic_functions device_double_functions "
		"device_functions math_constants math_functions mma.h nv/ sm_2 sm_3 sm_6 surface_functions "
		"surface_indirect_functions texture_fetch_functions texture_indirect_functions thrust/ vector_functions "
		"vector_types";
	const char *root = strstr(file, "/include/");
	if (is_built_in(file) || text_starts(file, "/usr/include/")) return true;
	for (const char *name = names; root && *name; name += strcspn(name, " "), name += *name == ' ')
		if (strncmp(root + strlen("/include/"), name, strcspn(name, " ")) == 0) return true;
	return false;
}

bool spot_in_toolkit(const PtxModule *m, Spot spot) {
	return spot.file && of_toolkit(m->files[spot.file]);
}

Spot spot_of(const PtxModule *m, const PtxInstr *in) {
	Spot spot = in ? (Spot){in->file, in->line, in->inlined_at} : (Spot){0};
	for (unsigned n = 0; spot.inlined_at && spot_in_toolkit(m, spot) && n < STEPS; n++) {
		const PtxInlined *at = &m->inlined[spot.inlined_at - 1];
		spot = (Spot){at->file, at->line, at->inlined_at};
	}
	return spot;
}

Place place_of_spot(const PtxModule *m, Spot spot) {
	const char *file = spot.file ? m->files[spot.file] : "";
	return is_built_in(file) || !*file ? (Place){"", 0} : (Place){file, spot.line};
}

Place place_of(const PtxModule *m, const PtxFunction *f, const PtxInstr *in) {
	Spot spot = spot_of(m, in);
	for (unsigned n = 0; spot_in_toolkit(m, spot) && f->caller && n < STEPS; n++) {
		spot = spot_of(m, f->called_at);
		f = f->caller;
	}
	return place_of_spot(m, spot);
}
