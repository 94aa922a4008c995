/* A texture or surface instruction, decoded by lower/texture.c and executed lane by lane by sample.c. */
#pragma once

#include "emu/code/program.h"

typedef enum {
	TEXTURE_FETCH,
	TEXTURE_ELEMENT,
	TEXTURE_GATHER,
	TEXTURE_QUERY,
	SURFACE_LOAD,
	SURFACE_STORE,
	SURFACE_REDUCE
} TextureAction;
/* Does it take a surface object? */
static inline bool takes_surface(TextureAction action) {
	return action >= SURFACE_LOAD;
}

typedef enum { OUTSIDE_TRAP, OUTSIDE_CLAMP, OUTSIDE_ZERO } Outside;
typedef enum { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH, QUERY_NORMALIZED, QUERY_FILTER } TextureQuery;

typedef struct {
	TextureAction action;
	uint32_t dimensions, component;
	TextureQuery query;
	Outside outside;
	uint32_t coordinates[3]; /* places, 4 bytes per lane */
	bool layered, cube;
	uint32_t layer;     /* place; only if layered */
	uint32_t values[4]; /* places of results, or of what is stored; NO_SLOT: not wanted */
	uint32_t nvalues;
	uint32_t bytes, container; /* of a value: in the surface, in a register */
	PtxType type;              /* of a reduction */
	bool samples;              /* x counts texels, not bytes */
} TextureCall;
