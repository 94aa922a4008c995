/* backend.h over cudart: texture and surface objects over CUDA arrays, or over linear memory. */
#include <stdlib.h>
#include <string.h>

#include "device/backend/cuda.h"

struct CudaTexture {
	TextureDesc desc;
	cudaArray_t array; /* NULL: linear memory */
	void *linear;
	cudaTextureObject_t texture;
	cudaSurfaceObject_t surface;
};

static struct cudaChannelFormatDesc format_of(const TextureDesc *d) {
	const int bits = 8 * (int)elem_bytes(d->type), n = (int)d->channels;
	enum cudaChannelFormatKind kind = cudaChannelFormatKindSigned;
	if (elem_is_float(d->type)) kind = cudaChannelFormatKindFloat;
	if (d->type == ELEM_U32 || d->type == ELEM_U16 || d->type == ELEM_U8) kind = cudaChannelFormatKindUnsigned;
	return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, kind);
}

static bool make_memory(CudaBackend *c, CudaTexture *t, Err *err) {
	const TextureDesc *d = &t->desc;
	const struct cudaChannelFormatDesc format = format_of(d);
	if (d->linear_memory) return cuda_ok(c, cudaMalloc(&t->linear, texture_bytes(d)), "making a texture", err);
	unsigned flags = d->surface ? cudaArraySurfaceLoadStore : cudaArrayDefault;
	if (d->layers) flags |= cudaArrayLayered;
	if (d->cube) flags |= cudaArrayCubemap;
	if (!d->surface && !d->layers && !d->cube && texture_dimensions(d) == 2) flags |= cudaArrayTextureGather;
	const struct cudaExtent extent = {d->width, d->height, d->layers || d->cube ? texture_slices(d) : d->depth};
	return cuda_ok(c, cudaMalloc3DArray(&t->array, &format, extent, flags), "making a CUDA array", err);
}

static bool make_object(CudaBackend *c, CudaTexture *t, Err *err) {
	const TextureDesc *d = &t->desc;
	struct cudaResourceDesc resource = {0};
	struct cudaTextureDesc how = {0};
	if (d->linear_memory) {
		resource.resType = cudaResourceTypeLinear;
		resource.res.linear.devPtr = t->linear;
		resource.res.linear.desc = format_of(d);
		resource.res.linear.sizeInBytes = texture_bytes(d);
	} else {
		resource.resType = cudaResourceTypeArray;
		resource.res.array.array = t->array;
	}
	if (d->surface) return cuda_ok(c, cudaCreateSurfaceObject(&t->surface, &resource), "making a surface object", err);
	/* Along the axes it does not have a texture of one row must not blend with adjacent data: the hardware filters
	 * there, too, and a border would take half of every value. */
	for (uint32_t i = 0; i < 3; i++)
		how.addressMode[i] =
			i < texture_dimensions(d) ? (enum cudaTextureAddressMode)d->address[i] : cudaAddressModeClamp;
	how.filterMode = d->filter ? cudaFilterModeLinear : cudaFilterModePoint;
	how.readMode = d->read_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
	how.normalizedCoords = d->normalized;
	how.seamlessCubemap = d->seamless;
	return cuda_ok(c, cudaCreateTextureObject(&t->texture, &resource, &how, NULL), "making a texture object", err);
}

static void drop(CudaTexture *t) {
	if (t->texture) cudaDestroyTextureObject(t->texture);
	if (t->surface) cudaDestroySurfaceObject(t->surface);
	if (t->array) cudaFreeArray(t->array);
	if (t->linear) cudaFree(t->linear);
	free(t);
}

bool cuda_texture(Backend *b, const TextureRequest *r, TextureMade *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	CudaTexture *t = calloc(1, sizeof *t);
	if (!t) return err_set(err, ERR_SETUP, "no memory for a texture");
	t->desc = r->desc;
	if (!make_memory(c, t, err) || !make_object(c, t, err)) {
		drop(t);
		return false;
	}
	vec_push(&c->textures, t);
	*out = (TextureMade){c->textures.len, r->desc.surface ? t->surface : t->texture};
	return true;
}

static CudaTexture *texture_at(CudaBackend *c, uint64_t number, Err *err) {
	if (number >= 1 && number <= c->textures.len && c->textures.data[number - 1]) return c->textures.data[number - 1];
	err_set(err, ERR_USAGE, "texture %llu does not exist", (unsigned long long)number);
	return NULL;
}

bool cuda_texture_free(Backend *b, const Number *number, Nothing *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	CudaTexture *t = texture_at(c, number->value, err);
	if (!t) return false;
	c->textures.data[number->value - 1] = NULL;
	drop(t);
	return true;
}

bool cuda_texture_copy(Backend *b, const TextureCopy *r, Nothing *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	const CudaTexture *t = texture_at(c, r->number, err);
	void *memory = (void *)(uintptr_t)r->addr;
	const bool into = r->into_texture;
	cudaError_t status;
	if (!t) return false;
	const TextureDesc *d = &t->desc;
	if (t->linear) {
		status = cudaMemcpyAsync(into ? t->linear : memory, into ? memory : t->linear, texture_bytes(d),
								 cudaMemcpyDeviceToDevice, c->stream);
	} else {
		const size_t row = d->width * texture_texel_bytes(d), rows = d->height ? d->height : 1;
		const struct cudaPitchedPtr plain = {memory, row, d->width, rows};
		struct cudaMemcpy3DParms copy = {.extent = {d->width, rows, texture_slices(d)},
										 .kind = cudaMemcpyDeviceToDevice};
		if (into) {
			copy.srcPtr = plain;
			copy.dstArray = t->array;
		} else {
			copy.srcArray = t->array;
			copy.dstPtr = plain;
		}
		status = cudaMemcpy3DAsync(&copy, c->stream);
	}
	return cuda_ok(c, status, "copying a texture", err) &&
		   cuda_ok(c, cudaStreamSynchronize(c->stream), "copying a texture", err);
}
