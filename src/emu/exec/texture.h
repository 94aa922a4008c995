/* Textures and surfaces of a machine. Texels are in host memory, row by row; kernels access them only through the
 * handle that serves as cudaTextureObject_t and cudaSurfaceObject_t. A handle is never reused, so a freed one is
 * recognized. */
#pragma once

#include "gpu/texture.h"

typedef struct {
	TextureDesc desc;
	char name[64];
	uint64_t handle;
	uint8_t *host; /* NULL once freed */
	size_t bytes;
} Texture;

typedef struct Textures Textures;

Textures *textures_new(void);
void textures_free(Textures *textures);
const Texture *texture_add(Textures *textures, const TextureDesc *desc, const char *name,
						   Err *err); /* with a sentinel fill */
bool texture_release(Textures *textures, uint64_t handle, Err *err);
/* NULL: never one. host is NULL of one that was freed. */
Texture *texture_of(const Textures *textures, uint64_t handle);

/* The four components of one fetch at these coordinates (`dimensions` of them, or a direction) of a layer there is (0:
 * there are none): bits of floats, or integers widened to 32 bits. at (may be NULL) receives where the texels lie that
 * were read (texture_offset) and the result says how many: none outside with a border, up to 8 with a linear filter. */
enum { TEXELS_MOST = 8 };
uint32_t texture_fetch(const Texture *texture, const float *coordinates, uint32_t layer, uint32_t out[4],
					   uint64_t at[TEXELS_MOST]);
/* One component of the four texels that filtering in two dimensions would blend, counter-clockwise from the lower
 * left. */
uint32_t texture_gather(const Texture *texture, const float *coordinates, uint32_t layer, uint32_t component,
						uint32_t out[4], uint64_t at[TEXELS_MOST]);
/* Texel i of linear memory, zero outside. */
uint32_t texture_element(const Texture *texture, int64_t i, uint32_t out[4], uint64_t at[TEXELS_MOST]);
