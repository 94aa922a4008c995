#include <cuda_pipeline.h>
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	float sum = 0;
	auto fill = [&](int p, int t) {
		__pipeline_memcpy_async(&As[p][ty][tx], a + t, 4);
		__pipeline_memcpy_async(&Bs[p][ty][tx], b + t * n, 4);
		__pipeline_commit();
	};
	fill(0, 0);
	for (int t = 0, p = 0; t < n; t += 16, p ^= 1) {
		__pipeline_wait_prior(0);
		__syncthreads();
		if (t + 16 < n)
			fill(p ^ 1, t + 16);
		for (int k = 0; k < 16; k++)
			sum += As[p][ty][k] * Bs[p][k][tx];
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}
