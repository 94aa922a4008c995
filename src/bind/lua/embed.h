/* gpulab's own Lua modules, compiled and built into the program (made by embed.py from lua/gpulab). */
#pragma once

#include <stddef.h>

typedef struct {
	const char *name;           /* as required: "gpulab.lab" */
	const unsigned char *chunk; /* of lua_dump, by the same Lua */
	size_t bytes;
} EmbeddedLua;

extern const EmbeddedLua embedded_lua[]; /* ends with a NULL name */
