/* Tensor maps on a GPU: the driver's encoding in place of ours (gpu/tensor_map.h). */
#include <dlfcn.h>
#include <string.h>

#include "device/backend/cuda.h"
#include "gpu/tensor_map.h"

/* Their enumerators are 32 bits wide: map, type, rank, address, dims, strides; box and element strides, or corners,
 * channels, pixels, and element strides; then interleave, swizzle, promotion, fill. 0: success. */
typedef int (*EncodeTiled)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,
						   const uint32_t *, int, int, int, int);
typedef int (*EncodeIm2col)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const int *, const int *,
							uint32_t, uint32_t, const uint32_t *, int, int, int, int);

static void driver_function(const char *name, void *function) {
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL); /* which cudart has loaded already */
	if (driver) *(void **)function = dlsym(driver, name);
}

static bool answered(const CudaBackend *c, const char *name, int status, Err *err) {
	if (!status) return true;
	return err_set(err, ERR_USAGE, "the driver of the %s refuses the tensor map (%s: error %d)", c->info.gpu_name, name,
				   status);
}

static bool missing(const char *name, Err *err) {
	return err_set(err, ERR_SETUP, "the driver has no %s, which tensor maps need", name);
}

static bool im2col(const CudaBackend *c, const TensorMap *m, const uint32_t *steps, void *out, Err *err) {
	static EncodeIm2col encode;
	static const char name[] = "cuTensorMapEncodeIm2col";
	int lower[TENSOR_SPACE], upper[TENSOR_SPACE];
	if (!encode) driver_function(name, &encode);
	if (!encode) return missing(name, err);
	for (uint32_t i = 0; i < TENSOR_SPACE; i++) {
		lower[i] = m->lower[i];
		upper[i] = m->upper[i];
	}
	const int status = encode(out, m->type, m->rank, (void *)(uintptr_t)m->address, m->dims, m->strides, lower, upper,
							  m->box[0], m->pixels, steps, m->interleave, m->swizzle, m->promotion, m->nan_fill);
	return answered(c, name, status, err);
}

static bool tiled(const CudaBackend *c, const TensorMap *m, const uint32_t *steps, void *out, Err *err) {
	static EncodeTiled encode;
	static const char name[] = "cuTensorMapEncodeTiled";
	uint32_t box[TENSOR_DIMS];
	if (!encode) driver_function(name, &encode);
	if (!encode) return missing(name, err);
	for (uint32_t i = 0; i < TENSOR_DIMS; i++) box[i] = m->box[i];
	const int status = encode(out, m->type, m->rank, (void *)(uintptr_t)m->address, m->dims, m->strides, box, steps,
							  m->interleave, m->swizzle, m->promotion, m->nan_fill);
	return answered(c, name, status, err);
}

bool cuda_tensor_map(CudaBackend *c, const void *ours, void *out, Err *err) {
	TensorMap m;
	uint32_t steps[TENSOR_DIMS];
	memcpy(&m, ours, sizeof m);
	for (uint32_t i = 0; i < TENSOR_DIMS; i++) steps[i] = m.steps[i];
	return m.im2col ? im2col(c, &m, steps, out, err) : tiled(c, &m, steps, out, err);
}
