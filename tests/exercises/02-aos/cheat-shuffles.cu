__global__ void lengths(float *out, const float *points)
{
	int lane = threadIdx.x % 32, w = (blockIdx.x * 256 + threadIdx.x) / 32;
	float a[3];
	for (int k = 0; k < 3; k++)
		a[k] = points[96 * w + 32 * k + lane];
	float sum = 0;
#pragma unroll
	for (int c = 0; c < 3; c++) {
		int f = 3 * lane + c;
		float x0 = __shfl_sync(~0u, a[0], f % 32), x1 = __shfl_sync(~0u, a[1], f % 32), x2 = __shfl_sync(~0u, a[2], f % 32);
		float x = f < 32 ? x0 : f < 64 ? x1 : x2;
		sum += x * x;
	}
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}
