// Loads an element of A once, but B's four each time: two and a half loads for four FMAs.
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][65], Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
		for (int k = 0; k < 16; k++)
#pragma unroll
			for (int i = 0; i < 4; i++) {
				float a = As[k][ty + 16 * i];
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a * ((volatile float *)Bs[k])[tx + 16 * j];
			}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
