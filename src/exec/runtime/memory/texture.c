/* array.h: texture and surface objects. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "exec/runtime/memory/array.h"

typedef struct {
	uint64_t number, object; /* gpulab's; what kernels take */
	bool surface;
	unsigned more;  /* surface objects of the same array, which are one: what one writes, the others read */
	bool abandoned; /* its array was freed before it */
	struct cudaResourceDesc from;
	struct cudaTextureDesc how;
	uint64_t version; /* of the array's contents that it holds */
	void *packed;     /* of pitched memory: its rows without gaps */
	size_t row_bytes, rows;
} Texture;

static VEC(Texture) textures;

/* --- making one --------------------------------------------------------------------------------------------------- */

static bool describe_array(const Array *a, TextureDesc *out) {
	const bool layered = a->flags & cudaArrayLayered;
	out->cube = a->flags & cudaArrayCubemap;
	out->width = (uint32_t)a->width;
	out->height = (uint32_t)a->height;
	out->depth = layered || out->cube ? 0 : (uint32_t)a->depth;
	out->layers = layered ? (uint32_t)a->depth / (out->cube ? CUBE_FACES : 1) : 0;
	return format_elements(&a->format, &out->type, &out->channels);
}

static bool describe(const struct cudaResourceDesc *from, TextureDesc *out) {
	switch (from->resType) {
	case cudaResourceTypeArray:
		return array_of(from->res.array.array) && describe_array(array_of(from->res.array.array), out);
	case cudaResourceTypeLinear:
		if (!format_elements(&from->res.linear.desc, &out->type, &out->channels)) return false;
		out->linear_memory = true;
		out->width = (uint32_t)(from->res.linear.sizeInBytes / (elem_bytes(out->type) * out->channels));
		return true;
	case cudaResourceTypePitch2D:
		out->width = (uint32_t)from->res.pitch2D.width;
		out->height = (uint32_t)from->res.pitch2D.height;
		return format_elements(&from->res.pitch2D.desc, &out->type, &out->channels);
	default: missing("a texture of a mipmapped array");
	}
}

static bool pitch_fits(const struct cudaResourceDesc *from, const TextureDesc *desc) {
	const size_t row = desc->width * (size_t)elem_bytes(desc->type) * desc->channels,
				 pitch = from->res.pitch2D.pitchInBytes;
	if (from->resType != cudaResourceTypePitch2D || (pitch >= row && pitch % TEXTURE_PITCH == 0)) return true;
	because("a row has %zu bytes, and a pitch of %zu: it must not be shorter, and a multiple of %d: use the pitch of "
			"cudaMallocPitch",
			row, pitch, TEXTURE_PITCH);
	return false;
}

static void apply(const struct cudaTextureDesc *how, TextureDesc *out) {
	for (int i = 0; i < 3; i++) {
		const AddressMode mode = (AddressMode)how->addressMode[i];
		const bool clamps = !how->normalizedCoords && !out->cube && (mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR);
		out->address[i] = clamps ? ADDRESS_CLAMP : mode; /* as the programming guide has it */
	}
	out->seamless = out->cube && how->seamlessCubemap;
	out->filter = how->filterMode == cudaFilterModeLinear;
	out->normalized = how->normalizedCoords || out->cube; /* directions have no length to normalize */
	out->read_float = how->readMode == cudaReadModeNormalizedFloat && out->type != ELEM_F32 && out->type != ELEM_F16;
}

static cudaError_t make(Texture *t, const TextureDesc *desc, unsigned long long *out) {
	TextureMade made;
	if (!texture_check(desc, NULL)) return cudaErrorInvalidValue;
	if (!ask(EXEC_texture, &(TextureRequest){.desc = *desc}, &made)) stop(problem());
	t->number = made.number;
	t->object = made.object;
	t->row_bytes = desc->width * texture_texel_bytes(desc);
	t->rows = desc->height;
	vec_push(&textures, *t);
	*out = made.object;
	return cudaSuccess;
}

API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out, const struct cudaResourceDesc *from,
										const struct cudaTextureDesc *how, const struct cudaResourceViewDesc *view) {
	TextureDesc desc = {0};
	BEGIN_FOR(out, true);
	if (!from || !how) return returned(cudaErrorInvalidValue);
	Texture t = {.from = *from, .how = *how};
	if (view) missing("cudaCreateTextureObject with a cudaResourceViewDesc");
	if (!describe(from, &desc)) return returned(cudaErrorInvalidChannelDescriptor);
	if (!pitch_fits(from, &desc)) return returned(cudaErrorInvalidValue);
	apply(how, &desc);
	return returned(make(&t, &desc, out));
}

static Texture *surface_of(cudaArray_t array) {
	for (size_t i = 0; i < textures.len; i++) {
		Texture *t = &textures.data[i];
		if (t->surface && !t->abandoned && t->from.res.array.array == array) return t;
	}
	return NULL;
}

API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out, const struct cudaResourceDesc *from) {
	TextureDesc desc = {.surface = true};
	BEGIN_FOR(out, true);
	if (!from) return returned(cudaErrorInvalidValue);
	Texture t = {.from = *from, .surface = true};
	if (from->resType != cudaResourceTypeArray || !describe(from, &desc)) return returned(cudaErrorInvalidValue);
	Texture *same = surface_of(from->res.array.array);
	if (!same) return returned(make(&t, &desc, out));
	same->more++;
	*out = same->object;
	return returned(cudaSuccess);
}

API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
	BEGIN;
	if (!object) return returned(cudaSuccess);
	for (size_t i = 0; i < textures.len; i++) {
		Texture *t = &textures.data[i];
		if (t->object != object) continue;
		if (t->more) {
			t->more--;
			return returned(cudaSuccess);
		}
		ask(EXEC_texture_free, &(Number){t->number}, NULL);
		block_free(t->packed, false);
		*t = textures.data[--textures.len];
		return returned(cudaSuccess);
	}
	return returned(no_such("texture or surface"));
}
ALSO(cudaDestroySurfaceObject, cudaDestroyTextureObject)

API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out, cudaTextureObject_t object) {
	BEGIN_FOR(out, true);
	for (size_t i = 0; i < textures.len; i++)
		if (textures.data[i].object == object) *out = textures.data[i].from;
	return returned(cudaSuccess);
}

/* --- contents ----------------------------------------------------------------------------------------------------- */

static void copy(const Texture *t, const void *texels, bool into) {
	const TextureCopy request = {t->number, (uint64_t)(uintptr_t)texels, into};
	if (!ask(EXEC_texture_copy, &request, NULL)) stop(problem());
}

/* Kernels may have written to plain memory at any time. */
static void refresh_memory(Texture *t) {
	const bool linear = t->from.resType == cudaResourceTypeLinear;
	const void *memory = linear ? t->from.res.linear.devPtr : t->from.res.pitch2D.devPtr;
	if (!block_at((uint64_t)(uintptr_t)memory)) return; /* freed: no kernel may use the texture any more */
	if (linear) {
		copy(t, memory, true);
		return;
	}
	if (!t->packed && block_new(t->row_bytes * t->rows, BLOCK_DEVICE, &t->packed) != cudaSuccess)
		stop("there is no memory for a texture");
	copy_box((Box){t->packed, t->row_bytes, 0}, (Box){(void *)memory, t->from.res.pitch2D.pitchInBytes, 0},
			 (struct cudaExtent){t->row_bytes, t->rows, 1}, cudaMemcpyDeviceToDevice);
	copy(t, t->packed, true);
}

/* The array's textures and surfaces may outlive it. */
static void abandon(const Array *array) {
	for (size_t i = 0; i < textures.len; i++) {
		Texture *t = &textures.data[i];
		if (t->from.resType == cudaResourceTypeArray && array_of(t->from.res.array.array) == array) t->abandoned = true;
	}
}

API cudaError_t cudaFreeArray(cudaArray_t array) {
	BEGIN;
	const cudaError_t refused = array ? capture_unsafe() : cudaSuccess;
	if (refused != cudaSuccess || !array) return returned(refused);
	if (!array_of(array)) return returned(no_such("array"));
	abandon(array_of(array));
	array_free(array_of(array));
	return returned(cudaSuccess);
}

static bool is_freed(const Texture *t) {
	const bool linear = t->from.resType == cudaResourceTypeLinear;
	const void *memory = linear ? t->from.res.linear.devPtr : t->from.res.pitch2D.devPtr;
	return t->abandoned || (t->from.resType != cudaResourceTypeArray && !block_at((uint64_t)(uintptr_t)memory));
}

/* Textures come among the parameters, or in structures of them. */
static void look_for_freed(const Texture *t, const char *params, size_t bytes) {
	uint64_t word;
	for (size_t at = 0; is_freed(t) && at + sizeof word <= bytes; at += sizeof word) {
		memcpy(&word, params + at, sizeof word);
		if (word == t->object)
			mistake("the kernel is given a %s whose memory was freed: keep it until the last launch that uses it",
					t->surface ? "surface" : "texture");
	}
}

void textures_before_launch(const void *params, size_t bytes) {
	for (size_t i = 0; i < textures.len; i++) {
		Texture *t = &textures.data[i];
		look_for_freed(t, params, bytes);
		if (t->from.resType != cudaResourceTypeArray) {
			refresh_memory(t);
			continue;
		}
		if (t->abandoned) continue;
		const Array *a = array_of(t->from.res.array.array);
		if (t->version == a->version) continue;
		copy(t, a->texels, true);
		t->version = a->version;
	}
}

void textures_after_launch(void) {
	for (size_t i = 0; i < textures.len; i++) {
		Texture *t = &textures.data[i];
		if (!t->surface || t->abandoned) continue;
		Array *a = array_of(t->from.res.array.array);
		copy(t, a->texels, false);
		array_changed(a);
		t->version = a->version;
	}
}
