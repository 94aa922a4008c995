/* texture.h */
#include "gpu/texture.h"

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

static bool check_shape(const TextureDesc *d, Err *err) {
	if (d->channels != 1 && d->channels != 2 && d->channels != 4) {
		err_set(err, ERR_USAGE, "a texel has 1, 2 or 4 components, not %u", d->channels);
		return err_hint(err, "three components take four, as with float4");
	}
	if (!d->width) return err_set(err, ERR_USAGE, "a texture is at least 1 texel wide");
	if (d->depth && !d->height) return err_set(err, ERR_USAGE, "a texture with a depth needs a height");
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
	for (uint32_t i = 0; i < texture_dimensions(d); i++)
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
