/* texture.h. The rules are those of the CUDA C++ Programming Guide, "Texture Fetching": linear filtering uses weights
 * of 8 bits. What the guide leaves open (how coordinates are rounded to these, how weights are multiplied, in which
 * precision texels are blended, what happens at the edges of a cube) is as an NVIDIA H100 does it:
 * docs/reference/exactness.md. */
#include "emu/exec/texture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "emu/exec/approx.h"
#include "emu/exec/lanes.h"

#define TEXTURE_WINDOW UINT64_C(0x000800000000)
enum { HANDLE_STEP = 16, FRACTION = 256 /* fractions have 8 bits */, FACE_STEPS = 1 << 21 /* along a face */ };

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

static bool is_outside(int64_t i, int64_t n) {
	return i < 0 || i >= n;
}

static void go_over_edge(int64_t n, int64_t i[3]) {
	const int64_t cube = i[2] / CUBE_FACES;
	i[2] = cube * CUBE_FACES + cube_adjacent((uint32_t)(i[2] % CUBE_FACES), n, &i[0], &i[1]);
}

/* False: the border, all zero. */
static bool texel(const Texture *t, const int64_t index[3], uint32_t out[4], uint64_t *at) {
	const TextureDesc *d = &t->desc;
	int64_t n[3], i[3] = {index[0], index[1], index[2]};
	extents(d, n);
	memset(out, 0, 4 * sizeof *out);
	if (d->seamless && is_outside(i[0], n[0]) != is_outside(i[1], n[1])) go_over_edge(n[0], i);
	for (int k = 0; k < 3; k++) {
		i[k] = settle(d->address[k], i[k], n[k]);
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
static double position(const TextureDesc *d, uint32_t k, double x, int64_t n) {
	if (x != x) x = 0;
	if (!d->normalized) return x;
	if (d->address[k] == ADDRESS_WRAP) return isinf(x) ? 0 : (x - floor(x)) * (double)n;
	if (d->address[k] == ADDRESS_MIRROR) {
		if (isinf(x)) return 0;
		const double whole = floor(x), part = x - whole;
		return (fmod(whole, 2) != 0 ? 1 - part : part) * (double)n;
	}
	return x * (double)n;
}

/* Clamped to a value that is outside for every mode and safe for arithmetic. */
static int64_t whole_part(double x) {
	const double far = 1e9;
	return (int64_t)floor(x < -far ? -far : x > far ? far : x);
}

/* The nearest texel. A folded coordinate may round up to the extent itself. */
static int64_t nearest_index(const TextureDesc *d, uint32_t k, double x, int64_t n) {
	const int64_t i = whole_part(position(d, k, x, n));
	const bool folds = d->normalized && (d->address[k] == ADDRESS_WRAP || d->address[k] == ADDRESS_MIRROR);
	return folds && i >= n ? n - 1 : i;
}

/* The lower of the two texels to blend, and the weight of the upper one in 256ths. A coordinate is rounded to these
 * before the mode folds it, in texel(). */
static int64_t lower_index(const TextureDesc *d, uint32_t k, double x, int64_t n, int *weight) {
	const bool folds = d->normalized && (d->address[k] == ADDRESS_WRAP || d->address[k] == ADDRESS_MIRROR);
	double at = x != x || (folds && isinf(x)) ? 0 : x * FRACTION;
	at = floor(d->normalized ? at * (double)n + 0.5 : at + 0.5);
	if (folds) at = fmod(at, (double)(2 * n * FRACTION));
	const int64_t fixed = whole_part(at) - FRACTION / 2;
	const int64_t i = fixed >= 0 ? fixed / FRACTION : -((-fixed + FRACTION - 1) / FRACTION);
	*weight = (int)(fixed - i * FRACTION);
	return i;
}

/* --- fetches ------------------------------------------------------------------------------------------------------ */

/* Coordinates that depend on the kind of texture: of a cube map those on the face that the direction meets, which layer
 * then counts. The direction is divided by its longest component, approximately, as the instructions around the texture
 * unit do it; NaN is the middle of a face. */
static void coordinates(const Texture *t, const float *given, double x[3], uint32_t *layer) {
	for (uint32_t k = 0; k < (t->desc.cube ? 3 : texture_dimensions(&t->desc)); k++) x[k] = (double)given[k];
	if (!t->desc.cube) return;
	const float longest = fmaxf(fmaxf(fabsf(given[0]), fabsf(given[1])), fabsf(given[2])), part = unit_rcp(longest);
	const float direction[3] = {given[0] * part, given[1] * part, given[2] * part};
	float on[2];
	*layer = *layer * CUBE_FACES + cube_face(direction, on);
	for (uint32_t k = 0; k < 2; k++) {
		const double from_edge = on[k] != on[k] ? 0.5 : fmin(fmax((double)on[k], -1), 1) * 0.5 + 0.5;
		x[k] = floor(from_edge * FACE_STEPS) / FACE_STEPS;
	}
}

static uint32_t fetch_nearest(const Texture *t, const double *x, uint32_t layer, uint32_t out[4], uint64_t *at) {
	int64_t n[3], i[3] = {0, 0, layer};
	extents(&t->desc, n);
	for (uint32_t k = 0; k < texture_dimensions(&t->desc); k++) i[k] = nearest_index(&t->desc, k, x[k], n[k]);
	for (uint32_t k = 0; k < 2 && t->desc.cube; k++) i[k] = settle(ADDRESS_CLAMP, i[k], n[k]);
	return texel(t, i, out, at);
}

/* A texel that linear filtering reads, and how many 256ths of the result it is. */
typedef struct {
	int64_t i[3];
	int weight;
} Tap;

/* Weights are products, rounded to 256ths one dimension after the other: along z, along x, along y. Halves go to the
 * upper texel, but along y of the lower x to the lower one. */
static void weigh(Tap *taps, uint32_t dims, const int upper[3]) {
	static const uint32_t order[] = {2, 0, 1};
	uint32_t done = 0; /* dimensions, as bits of a corner's number */
	taps[0].weight = FRACTION;
	for (uint32_t n = 0; n < 3; n++) {
		const uint32_t k = order[n], bit = 1u << k;
		for (uint32_t corner = 0; corner < 1u << dims && k < dims; corner++) {
			if (corner & ~done) continue;
			const int half = k == 1 && !(corner & 1) ? FRACTION / 2 - 1 : FRACTION / 2;
			taps[corner | bit].weight = (taps[corner].weight * upper[k] + half) / FRACTION;
			taps[corner].weight -= taps[corner | bit].weight;
		}
		done |= bit;
	}
}

/* At a corner of a cube three faces meet: the weight of the fourth texel goes to the other three, in equal parts, the
 * remainder to the one of the face that the direction meets. */
static void close_corner(Tap taps[4], int64_t n) {
	for (uint32_t k = 0; k < 4; k++) {
		if (!is_outside(taps[k].i[0], n) || !is_outside(taps[k].i[1], n)) continue;
		const int part = (taps[k].weight + 1) / 3;
		taps[k ^ 1].weight += part;
		taps[k ^ 2].weight += part;
		taps[k ^ 3].weight += taps[k].weight - 2 * part;
		taps[k].weight = 0;
	}
}

/* Which texels, 2 for each dimension. At a clamped edge the two are one texel. */
static uint32_t taps_of(const Texture *t, const double *x, uint32_t layer, Tap taps[TEXELS_MOST]) {
	const TextureDesc *d = &t->desc;
	const uint32_t dims = texture_dimensions(d), n = 1u << dims;
	int64_t size[3], low[3] = {0, 0, layer};
	int upper[3] = {0};
	extents(d, size);
	for (uint32_t k = 0; k < dims; k++) {
		low[k] = lower_index(d, k, x[k], size[k], &upper[k]);
		if (d->address[k] != ADDRESS_CLAMP || d->seamless) continue;
		if (low[k] < 0 || low[k] >= size[k] - 1) upper[k] = 0;
	}
	for (uint32_t corner = 0; corner < n; corner++)
		for (uint32_t k = 0; k < 3; k++) taps[corner].i[k] = low[k] + (k < dims ? corner >> k & 1 : 0);
	weigh(taps, dims, upper);
	if (d->seamless) close_corner(taps, size[0]);
	return n;
}

/* Halves away from zero. */
static float rounded(double x) {
	const float near = (float)x, other = nextafterf(near, x < near ? -INFINITY : INFINITY);
	const bool half = fabs(x - (double)near) == fabs((double)other - x);
	return half && fabsf(other) > fabsf(near) ? other : near;
}

/* Unsigned integers are blended as multiples of 1/65535. */
static float blended(const TextureDesc *d, double x) {
	const bool fixed = d->type == ELEM_U8 || d->type == ELEM_U16;
	return fixed ? (float)floor(x * 65535 + 0.5) / 65535.0f : rounded(x);
}

static uint32_t fetch_linear(const Texture *t, const double *x, uint32_t layer, uint32_t out[4], uint64_t *at) {
	Tap taps[TEXELS_MOST];
	const uint32_t n = taps_of(t, x, layer, taps);
	double sum[4] = {0};
	uint32_t read = 0;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t bits[4];
		if (texel(t, taps[k].i, bits, at ? &at[read] : NULL)) read++;
		for (uint32_t c = 0; c < 4; c++)
			if (taps[k].weight) sum[c] += taps[k].weight * (double)bits_f32(bits[c]);
	}
	for (uint32_t c = 0; c < 4; c++) out[c] = f32_bits(blended(&t->desc, sum[c] / FRACTION));
	return read;
}

uint32_t texture_fetch(const Texture *t, const float *given, uint32_t layer, uint32_t out[4],
					   uint64_t at[TEXELS_MOST]) {
	double x[3];
	coordinates(t, given, x, &layer);
	return t->desc.filter ? fetch_linear(t, x, layer, out, at) : fetch_nearest(t, x, layer, out, at);
}

/* The fourth texel where three faces meet: the average of the others, as close_corner() has it. */
static uint32_t corner_of(const Texture *t, const uint32_t gathered[4], int missing) {
	const uint32_t own = gathered[(missing + 2) % 4];
	if (!elem_is_float(t->desc.type) && !t->desc.read_float) return own;
	const double sides = (double)bits_f32(gathered[(missing + 1) % 4]) + (double)bits_f32(gathered[(missing + 3) % 4]);
	return f32_bits(blended(&t->desc, (85 * sides + 86 * (double)bits_f32(own)) / FRACTION));
}

uint32_t texture_gather(const Texture *t, const float *given, uint32_t layer, uint32_t which, uint32_t out[4],
						uint64_t at[TEXELS_MOST]) {
	static const int corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	int64_t n[3];
	int weight, missing = 4;
	uint32_t read = 0;
	double x[3];
	extents(&t->desc, n);
	coordinates(t, given, x, &layer);
	const int64_t i = lower_index(&t->desc, 0, x[0], n[0], &weight), j = lower_index(&t->desc, 1, x[1], n[1], &weight);
	for (int k = 0; k < 4; k++) {
		uint32_t bits[4];
		const int64_t index[3] = {i + corners[k][0], j + corners[k][1], layer};
		if (t->desc.seamless && is_outside(index[0], n[0]) && is_outside(index[1], n[1])) {
			missing = k;
			continue;
		}
		if (texel(t, index, bits, at ? &at[read] : NULL)) read++;
		out[k] = bits[which];
	}
	if (missing < 4) out[missing] = corner_of(t, out, missing);
	return read;
}

uint32_t texture_element(const Texture *t, int64_t i, uint32_t out[4], uint64_t at[TEXELS_MOST]) {
	memset(out, 0, 4 * sizeof *out);
	if (i < 0 || i >= (int64_t)t->desc.width) return 0;
	return texel(t, (const int64_t[3]){i, 0, 0}, out, at);
}
