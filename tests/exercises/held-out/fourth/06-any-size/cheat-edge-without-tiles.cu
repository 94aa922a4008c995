// Tiles in the interior; blocks at the edge multiply from global memory.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
	float sum = 0;
	if (x0 + 16 > n || y0 + 16 > n) {
		if (x0 + tx < n && y0 + ty < n) {
			for (int k = 0; k < n; k++)
				sum += A[(y0 + ty) * n + k] * B[k * n + x0 + tx];
			C[(y0 + ty) * n + x0 + tx] = sum;
		}
		return;
	}
	for (int b = 0; b < n; b += 16) {
		As[ty][tx] = b + tx < n ? A[(y0 + ty) * n + b + tx] : 0;
		Bs[ty][tx] = b + ty < n ? B[(b + ty) * n + x0 + tx] : 0;
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[(y0 + ty) * n + x0 + tx] = sum;
}
