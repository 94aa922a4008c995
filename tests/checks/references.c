/* references.h */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "references.h"

typedef struct {
	const char *name;
	void (*run)(ReferenceBuffer *b);
} Reference;

static const Reference references[] = {{NULL, NULL}};

bool reference_run(const char *name, ReferenceBuffer *buffers) {
	for (const Reference *r = references; r->name; r++) {
		if (strcmp(r->name, name)) continue;
		r->run(buffers);
		return true;
	}
	return false;
}
