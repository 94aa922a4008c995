/* texture.h */
#include "gpu/texture.h"

#include <math.h>

/* CUDA C++ Programming Guide, technical specifications, compute capability 5.0 and later. */
enum {
	MOST_LINEAR = 1 << 28,
	MOST_1D = 131072,
	MOST_2D = 131072,
	MOST_ROWS = 65536,
	MOST_3D = 16384,
	MOST_SURFACE_1D = 32768,
	MOST_LAYERED = 32768, /* in x and y */
	MOST_LAYERS = 2048,
	MOST_CUBE = 32768,
	MOST_CUBES = 341,
	BLOCK_BYTES = 64,
	BLOCK_ROWS = 8
};

uint32_t texture_dimensions(const TextureDesc *d) {
	return d->depth ? 3 : d->height ? 2 : 1;
}

size_t texture_texel_bytes(const TextureDesc *d) {
	return elem_bytes(d->type) * d->channels;
}

size_t texture_count(const TextureDesc *d) {
	return (size_t)d->width * (d->height ? d->height : 1) * texture_slices(d) * d->channels;
}

size_t texture_bytes(const TextureDesc *d) {
	return texture_count(d) * elem_bytes(d->type);
}

static bool extent(const char *what, uint32_t is, uint32_t most, Err *err) {
	if (is <= most) return true;
	return err_set(err, ERR_USAGE, "%s is %u; at most %u are possible", what, is, most);
}

static bool check_layers(const TextureDesc *d, Err *err) {
	if (d->depth) return err_set(err, ERR_USAGE, "a texture has a depth or layers, not both");
	if (d->linear_memory) return err_set(err, ERR_USAGE, "linear memory has no layers");
	return extent("width", d->width, MOST_LAYERED, err) && extent("height", d->height, MOST_LAYERED, err) &&
		   extent("layers", d->layers, MOST_LAYERS, err);
}

static bool check_cube(const TextureDesc *d, Err *err) {
	if (d->depth) return err_set(err, ERR_USAGE, "a cube map has no depth");
	if (d->linear_memory) return err_set(err, ERR_USAGE, "linear memory has no cube maps");
	if (d->height != d->width)
		return err_set(err, ERR_USAGE, "the faces of a cube map are squares, not %u by %u texels", d->width, d->height);
	return extent("width", d->width, MOST_CUBE, err) && extent("layers", d->layers, MOST_CUBES, err);
}

static bool check_shape(const TextureDesc *d, Err *err) {
	if (d->channels != 1 && d->channels != 2 && d->channels != 4) {
		err_set(err, ERR_USAGE, "a texel has 1, 2 or 4 components, not %u", d->channels);
		return err_hint(err, "three components take four, as with float4");
	}
	if (!d->width) return err_set(err, ERR_USAGE, "a texture is at least 1 texel wide");
	if (d->depth && !d->height) return err_set(err, ERR_USAGE, "a texture with a depth needs a height");
	if (d->cube) return check_cube(d, err);
	if (d->layers) return check_layers(d, err);
	switch (texture_dimensions(d)) {
	case 1:
		if (d->linear_memory) return extent("width", d->width, MOST_LINEAR, err);
		return extent("width", d->width, d->surface ? MOST_SURFACE_1D : MOST_1D, err);
	case 2: return extent("width", d->width, MOST_2D, err) && extent("height", d->height, MOST_ROWS, err);
	default:
		return extent("width", d->width, MOST_3D, err) && extent("height", d->height, MOST_3D, err) &&
			   extent("depth", d->depth, MOST_3D, err);
	}
}

static bool check_modes(const TextureDesc *d, Err *err) {
	const bool is_float = elem_is_float(d->type);
	if (d->linear_memory && (d->height || d->filter || d->normalized)) {
		err_set(err, ERR_USAGE, "linear memory has one dimension, no filter and no normalized coordinates");
		return err_hint(err, "it is read by tex1Dfetch(t, i); leave layout = \"linear\" away for tex1D and tex2D");
	}
	if (d->read_float && (is_float || elem_bytes(d->type) > 2)) {
		err_set(err, ERR_USAGE, "read = \"float\" is for integers of 8 or 16 bits, these are of type %s",
				elem_name(d->type));
		return err_hint(err, is_float ? "floats are read as they are" : "use a smaller type");
	}
	if (d->filter && !is_float && !d->read_float) {
		err_set(err, ERR_USAGE, "linear filtering needs texels that are read as floats, these are of type %s",
				elem_name(d->type));
		return err_hint(err, "read = \"float\" makes floats of integers of 8 or 16 bits");
	}
	if (d->seamless && !d->cube) return err_set(err, ERR_USAGE, "seamless filtering is for cube maps (cube = true)");
	for (uint32_t i = 0; i < texture_dimensions(d) && !d->cube; i++)
		if (!d->normalized && (d->address[i] == ADDRESS_WRAP || d->address[i] == ADDRESS_MIRROR)) {
			err_set(err, ERR_USAGE, "address = \"%s\" needs normalized coordinates",
					d->address[i] == ADDRESS_WRAP ? "wrap" : "mirror");
			return err_hint(err, "set normalized = true, and let the kernel divide by the width");
		}
	return true;
}

bool texture_check(const TextureDesc *d, Err *err) {
	if (elem_bytes(d->type) > 4) {
		err_set(err, ERR_USAGE, "texels have components of at most 32 bits, not %s", elem_name(d->type));
		return err_hint(err, "a double can be read as an int2 and put together by __hiloint2double");
	}
	return check_shape(d, err) && (d->surface || check_modes(d, err));
}

/* --- cube maps ---------------------------------------------------------------------------------------------------- */

/* By face: the axes along its rows, along its columns, and through it (CUDA C++ Programming Guide, "Cubemap Textures"),
 * and their signs. */
static const struct {
	uint8_t axis[3];
	int8_t sign[3];
} faces[CUBE_FACES] = {{{2, 1, 0}, {-1, -1, 1}}, {{2, 1, 0}, {1, -1, -1}}, {{0, 2, 1}, {1, 1, 1}},
					   {{0, 2, 1}, {1, -1, -1}}, {{0, 1, 2}, {1, -1, 1}},  {{0, 1, 2}, {-1, -1, -1}}};

uint32_t cube_face(const float x[3], float at[2]) {
	float size[3];
	for (uint32_t k = 0; k < 3; k++) size[k] = x[k] != x[k] ? -1 : fabsf(x[k]);
	const uint32_t axis = size[2] >= size[0] && size[2] >= size[1] ? 2 : size[1] >= size[0] ? 1 : 0;
	const uint32_t face = 2 * axis + (x[axis] < 0);
	for (uint32_t k = 0; k < 2; k++) at[k] = x[faces[face].axis[k]] * (float)faces[face].sign[k];
	return face;
}

/* Around the center of the cube, whose edges are 2 * n long, the centers of texels have odd coordinates on a face, and
 * n or -n along the axis through it. One step over the edge turns these two about. */
uint32_t cube_adjacent(uint32_t face, int64_t n, int64_t *i, int64_t *j) {
	const int64_t on[3] = {2 * *i + 1 - n, 2 * *j + 1 - n, n};
	int64_t p[3];
	for (uint32_t k = 0; k < 3; k++) p[faces[face].axis[k]] = on[k] * faces[face].sign[k];
	const uint32_t over = faces[face].axis[*i >= 0 && *i < n], through = faces[face].axis[2];
	p[through] = p[through] < 0 ? 1 - n : n - 1;
	const uint32_t to = 2 * over + (p[over] < 0);
	*i = (p[faces[to].axis[0]] * faces[to].sign[0] + n - 1) / 2;
	*j = (p[faces[to].axis[1]] * faces[to].sign[1] + n - 1) / 2;
	return to;
}

uint64_t texture_offset(const TextureDesc *d, uint32_t x, uint32_t y, uint32_t z) {
	const uint64_t texel = texture_texel_bytes(d), at = x * texel;
	if (d->linear_memory || !d->height)
		return z * ((d->width * texel + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES) + at;
	const uint64_t across = (d->width * texel + BLOCK_BYTES - 1) / BLOCK_BYTES,
				   down = (d->height + BLOCK_ROWS - 1) / BLOCK_ROWS;
	const uint64_t block = (z * down + y / BLOCK_ROWS) * across + at / BLOCK_BYTES;
	const uint64_t in_x = at % BLOCK_BYTES, in_y = y % BLOCK_ROWS;
	return block * BLOCK_BYTES * BLOCK_ROWS + in_x / 32 * 256 + in_y / 2 * 64 + in_x % 32 / 16 * 32 + in_y % 2 * 16 +
		   in_x % 16;
}
