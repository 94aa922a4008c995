/* Values of a GPU by name, and where they come from. */
#pragma once

#include <string.h>

#include "gpu/derive.h"

/* NULL: there is none. */
static inline const GpuField *field_named(const char *name) {
	for (size_t i = 0; i < gpu_nfields; i++)
		if (strcmp(gpu_fields[i].name, name) == 0) return &gpu_fields[i];
	return NULL;
}

/* "GTX 280 datasheet...", not terminated at len; NULL: nothing is written down for it. */
static inline const char *source_of(const Gpu *gpu, const char *field, size_t *len) {
	const size_t n = strlen(field);
	for (const char *line = gpu->sources; *line; line += *line == '\n') {
		const size_t end = strcspn(line, "\n");
		if (end > n + 2 && memcmp(line, field, n) == 0 && line[n] == ':') {
			*len = end - n - 2;
			return line + n + 2;
		}
		line += end;
	}
	return NULL;
}
