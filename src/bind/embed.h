/* The Lua sources built into the program (made by embed.py from lua/gpulab). */
#ifndef GPULAB_BIND_EMBED_H
#define GPULAB_BIND_EMBED_H

#include <stddef.h>

typedef struct {
	const char *name; /* as required: "gpulab.lab" */
	const unsigned char *text;
	size_t bytes;
} EmbeddedLua;

extern const EmbeddedLua embedded_lua[]; /* ends with a NULL name */

#endif
