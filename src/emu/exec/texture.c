/* texture.h. The rules are those of the CUDA C++ Programming Guide, "Texture Fetching": linear filtering uses weights
 * of 8 bits. What the guide leaves open (how coordinates are rounded to these, in which precision texels are blended)
 * is in docs/reference/exactness.md. */
#include "emu/exec/texture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "emu/exec/lanes.h"

#define TEXTURE_WINDOW UINT64_C(0x000800000000)
enum { HANDLE_STEP = 16, FRACTION = 256 /* fractions have 8 bits */ };

struct Textures {
	VEC(Texture *) list; /* handle TEXTURE_WINDOW + (i + 1) * HANDLE_STEP */
};

Textures *textures_new(void) {
	return xcalloc(1, sizeof(Textures));
}

void textures_free(Textures *t) {
	for (size_t i = 0; i < t->list.len; i++) {
		free(t->list.data[i]->host);
		free(t->list.data[i]);
	}
	vec_free(&t->list);
	free(t);
}

const Texture *texture_add(Textures *textures, const TextureDesc *desc, const char *name, Err *err) {
	if (!texture_check(desc, err)) return NULL;
	const size_t bytes = texture_bytes(desc);
	uint8_t *host = malloc(bytes);
	if (!host) {
		err_set(err, ERR_SETUP, "'%s' needs %zu bytes, which is more than available", name, bytes);
		return NULL;
	}
	memset(host, 0xff, bytes);
	Texture *t = xcalloc(1, sizeof *t);
	*t = (Texture){.desc = *desc, .host = host, .bytes = bytes};
	snprintf(t->name, sizeof t->name, "%s", name);
	vec_push(&textures->list, t);
	t->handle = TEXTURE_WINDOW + textures->list.len * HANDLE_STEP;
	return t;
}

Texture *texture_of(const Textures *textures, uint64_t handle) {
	const uint64_t at = handle - TEXTURE_WINDOW, i = at / HANDLE_STEP;
	return at % HANDLE_STEP == 0 && i >= 1 && i <= textures->list.len ? textures->list.data[i - 1] : NULL;
}

bool texture_release(Textures *textures, uint64_t handle, Err *err) {
	Texture *t = texture_of(textures, handle);
	if (!t || !t->host) return err_set(err, ERR_USAGE, "0x%llx is not a texture", (unsigned long long)handle);
	free(t->host);
	t->host = NULL;
	return true;
}

/* --- one texel ---------------------------------------------------------------------------------------------------- */

static uint32_t component(const TextureDesc *d, const uint8_t *at) {
	if (d->type == ELEM_F32) {
		uint32_t bits;
		memcpy(&bits, at, sizeof bits);
		return bits;
	}
	if (d->type == ELEM_F16) return f32_bits((float)elem_get(ELEM_F16, at));
	const int64_t v = elem_get_int(d->type, at);
	if (!d->read_float) return (uint32_t)v;
	switch (d->type) {
	case ELEM_U8: return f32_bits((float)v / 255.0f);
	case ELEM_U16: return f32_bits((float)v / 65535.0f);
	case ELEM_I8: return f32_bits(v == -128 ? -1.0f : (float)v / 127.0f);
	default: return f32_bits(v == -32768 ? -1.0f : (float)v / 32767.0f);
	}
}

/* Extents for loops: 1 for an absent dimension. */
static void extents(const TextureDesc *d, int64_t out[3]) {
	out[0] = d->width;
	out[1] = d->height ? d->height : 1;
	out[2] = texture_slices(d);
}

/* Index -> index of a texel by the address mode; -1: the border. */
static int64_t settle(AddressMode mode, int64_t i, int64_t n) {
	if (i >= 0 && i < n) return i;
	switch (mode) {
	case ADDRESS_BORDER: return -1;
	case ADDRESS_WRAP: return ((i % n) + n) % n;
	case ADDRESS_MIRROR: {
		const int64_t m = ((i % (2 * n)) + 2 * n) % (2 * n);
		return m < n ? m : 2 * n - 1 - m;
	}
	default: return i < 0 ? 0 : n - 1;
	}
}

/* False: the border, all zero. */
static bool texel(const Texture *t, const int64_t index[3], uint32_t out[4], uint64_t *at) {
	const TextureDesc *d = &t->desc;
	int64_t n[3], i[3];
	extents(d, n);
	memset(out, 0, 4 * sizeof *out);
	for (int k = 0; k < 3; k++) {
		i[k] = settle(d->address[k], index[k], n[k]);
		if (i[k] < 0) return false;
	}
	const size_t size = elem_bytes(d->type);
	const uint8_t *p = t->host + (size_t)((i[2] * n[1] + i[1]) * n[0] + i[0]) * texture_texel_bytes(d);
	for (uint32_t c = 0; c < d->channels; c++) out[c] = component(d, p + c * size);
	if (at) *at = texture_offset(d, (uint32_t)i[0], (uint32_t)i[1], (uint32_t)i[2]);
	return true;
}

/* --- coordinates -------------------------------------------------------------------------------------------------- */

/* In texels. Normalized ones are folded into [0, 1] first where the mode repeats the texture. */
static double position(const TextureDesc *d, uint32_t k, float x, int64_t n) {
	if (x != x) x = 0;
	if (!d->normalized) return x;
	if (d->address[k] == ADDRESS_WRAP) return isinf(x) ? 0 : (double)(x - floorf(x)) * (double)n;
	if (d->address[k] == ADDRESS_MIRROR) {
		if (isinf(x)) return 0;
		const float whole = floorf(x), part = x - whole;
		return (double)(fmodf(whole, 2) != 0 ? 1 - part : part) * (double)n;
	}
	return (double)x * (double)n;
}

/* Clamped to a value that is outside for every mode and safe for arithmetic. */
static int64_t whole(double x) {
	const double far = 1e9;
	return (int64_t)floor(x < -far ? -far : x > far ? far : x);
}

/* The nearest texel. A folded coordinate may round up to the extent itself. */
static int64_t nearest_index(const TextureDesc *d, uint32_t k, float x, int64_t n) {
	const int64_t i = whole(position(d, k, x, n));
	const bool folds = d->normalized && (d->address[k] == ADDRESS_WRAP || d->address[k] == ADDRESS_MIRROR);
	return folds && i >= n ? n - 1 : i;
}

/* The lower of the two texels to blend, and the weight of the upper one in 256ths. */
static int64_t lower_index(const TextureDesc *d, uint32_t k, float x, int64_t n, int *weight) {
	const double at = floor((position(d, k, x, n) - 0.5) * FRACTION + 0.5);
	const int64_t fixed = whole(at);
	const int64_t i = fixed >= 0 ? fixed / FRACTION : -((-fixed + FRACTION - 1) / FRACTION);
	*weight = (int)(fixed - i * FRACTION);
	return i;
}

/* --- fetches ------------------------------------------------------------------------------------------------------ */

static uint32_t fetch_nearest(const Texture *t, const float *x, uint32_t layer, uint32_t out[4], uint64_t *at) {
	int64_t n[3], i[3] = {0, 0, layer};
	extents(&t->desc, n);
	for (uint32_t k = 0; k < texture_dimensions(&t->desc); k++) i[k] = nearest_index(&t->desc, k, x[k], n[k]);
	return texel(t, i, out, at);
}

static uint32_t fetch_linear(const Texture *t, const float *x, uint32_t layer, uint32_t out[4], uint64_t *at) {
	const uint32_t dims = texture_dimensions(&t->desc);
	int64_t n[3], low[3] = {0, 0, layer};
	int weight[3] = {0};
	double sum[4] = {0};
	uint32_t read = 0;
	extents(&t->desc, n);
	for (uint32_t k = 0; k < dims; k++) low[k] = lower_index(&t->desc, k, x[k], n[k], &weight[k]);
	for (uint32_t corner = 0; corner < 1u << dims; corner++) {
		double w = 1;
		int64_t i[3];
		uint32_t bits[4];
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t upper = corner >> k & 1;
			i[k] = low[k] + upper;
			if (k < dims) w *= (upper ? weight[k] : FRACTION - weight[k]) / (double)FRACTION;
		}
		if (texel(t, i, bits, at ? &at[read] : NULL)) read++;
		for (uint32_t c = 0; c < 4; c++)
			if (w != 0) sum[c] += w * (double)bits_f32(bits[c]);
	}
	for (uint32_t c = 0; c < 4; c++) out[c] = f32_bits((float)sum[c]);
	return read;
}

uint32_t texture_fetch(const Texture *t, const float *x, uint32_t layer, uint32_t out[4], uint64_t at[TEXELS_MOST]) {
	return t->desc.filter ? fetch_linear(t, x, layer, out, at) : fetch_nearest(t, x, layer, out, at);
}

uint32_t texture_gather(const Texture *t, const float *x, uint32_t which, uint32_t out[4], uint64_t at[TEXELS_MOST]) {
	static const int corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	int64_t n[3];
	int weight;
	uint32_t read = 0;
	extents(&t->desc, n);
	const int64_t i = lower_index(&t->desc, 0, x[0], n[0], &weight), j = lower_index(&t->desc, 1, x[1], n[1], &weight);
	for (int k = 0; k < 4; k++) {
		uint32_t bits[4];
		const int64_t index[3] = {i + corners[k][0], j + corners[k][1], 0};
		if (texel(t, index, bits, at ? &at[read] : NULL)) read++;
		out[k] = bits[which];
	}
	return read;
}

uint32_t texture_element(const Texture *t, int64_t i, uint32_t out[4], uint64_t at[TEXELS_MOST]) {
	memset(out, 0, 4 * sizeof *out);
	if (i < 0 || i >= (int64_t)t->desc.width) return 0;
	return texel(t, (const int64_t[3]){i, 0, 0}, out, at);
}
