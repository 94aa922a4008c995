/* Tensor maps on a GPU: the driver's encoding in place of ours (gpu/tensor_map.h). */
#include <dlfcn.h>
#include <string.h>

#include "device/backend/cuda.h"
#include "gpu/tensor_map.h"

/* cuTensorMapEncodeTiled, whose enumerators are 32 bits wide: map, type, rank, address, dims, strides, box, element
 * strides, interleave, swizzle, promotion, fill. 0: success. */
typedef int (*Encode)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,
					  const uint32_t *, int, int, int, int);

static Encode driver_function(void) {
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL); /* which cudart has loaded already */
	Encode encode = NULL;
	if (driver) *(void **)&encode = dlsym(driver, "cuTensorMapEncodeTiled");
	return encode;
}

bool cuda_tensor_map(CudaBackend *c, const void *ours, void *out, Err *err) {
	static Encode encode;
	TensorMap m;
	uint32_t box[TENSOR_DIMS], steps[TENSOR_DIMS];
	memcpy(&m, ours, sizeof m);
	if (!encode && !(encode = driver_function()))
		return err_set(err, ERR_SETUP, "the driver has no cuTensorMapEncodeTiled, which tensor maps need");
	for (uint32_t i = 0; i < TENSOR_DIMS; i++) {
		box[i] = m.box[i];
		steps[i] = m.steps[i];
	}
	const int status = encode(out, m.type, m.rank, (void *)(uintptr_t)m.address, m.dims, m.strides, box, steps,
							  m.interleave, m.swizzle, m.promotion, m.nan_fill);
	return !status ||
		   err_set(err, ERR_USAGE, "the driver of the %s refuses the tensor map (cuTensorMapEncodeTiled: error %d)",
				   c->info.gpu_name, status);
}
