#include <cstdio>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda_runtime.h>
namespace cde = cuda::device::experimental;
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void twice(const __grid_constant__ CUtensorMap map)
{
	__shared__ alignas(128) int tile[16][16];
#pragma nv_diag_suppress static_var_with_dynamic_init
	__shared__ barrier bar;
	if (threadIdx.x == 0) {
		init(&bar, blockDim.x);
		cde::fence_proxy_async_shared_cta();
	}
	__syncthreads();
	barrier::arrival_token token;
	if (threadIdx.x == 0) {
		cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, blockIdx.x * 16, blockIdx.y * 16, bar);
		token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
	} else {
		token = bar.arrive();
	}
	bar.wait(std::move(token));
	tile[threadIdx.x / 16][threadIdx.x % 16] *= 2;
	cde::fence_proxy_async_shared_cta();
	__syncthreads();
	if (threadIdx.x == 0) {
		cde::cp_async_bulk_tensor_2d_shared_to_global(&map, blockIdx.x * 16, blockIdx.y * 16, &tile);
		cde::cp_async_bulk_commit_group();
		cde::cp_async_bulk_wait_group_read<0>();
	}
}
typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                           const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                           CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
int main()
{
	const int n = 40;
	int host[n * n], *data;
	for (int i = 0; i < n * n; i++) host[i] = i;
	cudaMalloc(&data, sizeof host);
	cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
	void *entry = NULL;
	cudaDriverEntryPointQueryResult found;
	cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
	CUtensorMap map;
	const cuuint64_t dims[] = {n, n}, strides[] = {n * sizeof(int)};
	cuuint32_t box[] = {16, 16}, steps[] = {1, 1};
	CUresult status = ((Encode)entry)(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, dims, strides, box, steps,
		CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	twice<<<dim3(3, 3), 256>>>(map);
	printf("%d %d %s\n", (int)found, (int)status, cudaGetErrorName(cudaDeviceSynchronize()));
	cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
	int wrong = 0;
	for (int i = 0; i < n * n; i++) wrong += host[i] != 2 * i;
	box[0] = 3;
	status = ((Encode)entry)(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, dims, strides, box, steps,
		CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	printf("%d wrong, a bad box: %d\n", wrong, (int)status);
	return wrong != 0;
}
