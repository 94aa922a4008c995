/* Tensor maps on a GPU: the driver's encoding in place of ours (gpu/tensor_map.h). */
#include <cuda.h>
#include <dlfcn.h>
#include <string.h>

#include "device/backend/cuda.h"
#include "gpu/tensor_map.h"

typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
						   const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
						   CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static Encode driver_function(void) {
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL); /* which cudart has loaded already */
	Encode encode = NULL;
	if (driver) *(void **)&encode = dlsym(driver, "cuTensorMapEncodeTiled");
	return encode;
}

bool cuda_tensor_map(CudaBackend *c, const void *ours, void *out, Err *err) {
	static Encode encode;
	TensorMap m;
	cuuint32_t box[TENSOR_DIMS], steps[TENSOR_DIMS];
	memcpy(&m, ours, sizeof m);
	if (c->info.cc < 90)
		return err_set(err, ERR_USAGE, "the %s has no tensor maps: they need cc 9.0", c->info.gpu_name);
	if (!encode && !(encode = driver_function()))
		return err_set(err, ERR_SETUP, "the driver has no cuTensorMapEncodeTiled, which tensor maps need");
	for (uint32_t i = 0; i < TENSOR_DIMS; i++) {
		box[i] = m.box[i];
		steps[i] = m.steps[i];
	}
	const CUresult status =
		encode(out, (CUtensorMapDataType)m.type, m.rank, (void *)(uintptr_t)m.address, m.dims, m.strides, box, steps,
			   (CUtensorMapInterleave)m.interleave, (CUtensorMapSwizzle)m.swizzle, (CUtensorMapL2promotion)m.promotion,
			   (CUtensorMapFloatOOBfill)m.nan_fill);
	return status == CUDA_SUCCESS ||
		   err_set(err, ERR_USAGE, "the driver refuses the tensor map (cuTensorMapEncodeTiled: error %d)", (int)status);
}
