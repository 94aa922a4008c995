/* Any bytes: parse them as PTX, and build the graph of whatever comes out. */
#include <stddef.h>
#include <stdint.h>

#include "ptx/analysis/cfg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	Err err = ERR_INIT;
	PtxModule *m = ptx_parse((const char *)data, size, &err);
	if (!m) return 0;
	Arena *arena = arena_new();
	for (uint32_t i = 0; i < m->nfunctions; i++) ptx_cfg(arena, m->functions[i]);
	arena_free(arena);
	ptx_free(m);
	return 0;
}
