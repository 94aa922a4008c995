/* What a texture or a surface is: its texels and how coordinates become texels. The same values on every backend; what
 * they mean is the CUDA C++ Programming Guide's, "Texture Fetching". */
#pragma once

#include "base/err.h"
#include "base/values/elem.h"

/* In the order of cudaTextureAddressMode. */
typedef enum { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER } AddressMode;
enum { ADDRESS_MODES = ADDRESS_BORDER + 1 };

typedef struct {
	bool surface;                  /* read and written by byte coordinates; the fields below the shape mean nothing */
	bool linear_memory;            /* one dimension, read by tex1Dfetch; otherwise a CUDA array */
	ElemType type;                 /* of a component */
	uint32_t channels;             /* of a texel: 1, 2, 4 */
	uint32_t width, height, depth; /* in texels; height 0: one dimension; depth 0: at most two */
	uint32_t layers;               /* of one or two dimensions, or cubes, one after the other; 0: none */
	bool cube;                     /* six faces of two dimensions, in the order of CUBE_FACES */
	AddressMode address[3];
	bool filter; /* linear filtering, of floats; otherwise the nearest texel */
	bool normalized;
	bool read_float; /* integers become floats in [0, 1] or [-1, 1] */
	bool seamless;   /* of a cube: linear filtering takes texels of the adjacent faces */
} TextureDesc;

enum { CUBE_FACES = 6 }; /* +x, -x, +y, -y, +z, -z */

/* Depth, or layers of one or two dimensions, a cube having six; at least 1. */
static inline uint32_t texture_slices(const TextureDesc *d) {
	return d->depth ? d->depth : (d->layers ? d->layers : 1) * (d->cube ? CUBE_FACES : 1);
}
uint32_t texture_dimensions(const TextureDesc *desc);
size_t texture_count(const TextureDesc *desc); /* elements: texels times channels */
size_t texture_texel_bytes(const TextureDesc *desc);
size_t texture_bytes(const TextureDesc *desc);
/* False with ERR_USAGE for what no GPU makes a texture of. */
bool texture_check(const TextureDesc *desc, Err *err);

/* The face that a direction meets, and where on it, from -1 to 1 along its rows (at[0]) and columns (at[1]). The
 * longest component of the direction is 1 or -1. */
uint32_t cube_face(const float direction[3], float at[2]);
/* The texel of an adjacent face that continues (i, j) of a face, which is outside along one of them by one, in a cube
 * of n by n texels a face. */
uint32_t cube_adjacent(uint32_t face, int64_t n, int64_t *i, int64_t *j);

/* z counts layers, too. Where a texel lies in a CUDA array, in bytes from its beginning: in blocks of 64 bytes by 8
 * rows, a sector of 32 bytes holding 16 bytes of each of two rows (Tegra X1 Technical Reference Manual, "block linear",
 * which newer GPUs keep). */
uint64_t texture_offset(const TextureDesc *desc, uint32_t x, uint32_t y, uint32_t z);
