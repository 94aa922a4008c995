// A quarter of the warps compute 16 rows each... with the threads of ty < 2.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[32][32], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32;
	float sum[16] = {};
	for (int b = 0; b < n; b += 32) {
		for (int i = ty; i < 32; i += 8) {
			As[i][tx] = A[(y + i) * n + b + tx];
			Bs[i][tx] = B[(b + i) * n + x];
		}
		__syncthreads();
		if (ty < 2)
			for (int k = 0; k < 32; k++) {
				float e = Bs[k][tx];
#pragma unroll
				for (int i = 0; i < 16; i++)
					sum[i] += As[ty * 16 + i][k] * e;
			}
		__syncthreads();
	}
	if (ty < 2)
		for (int i = 0; i < 16; i++)
			C[(y + ty * 16 + i) * n + x] = sum[i];
}
