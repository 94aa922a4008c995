// A tile of A is filled and not used.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 16) {
		As[ty][tx] = y < n && b + tx < n ? A[y * n + b + tx] : 0;
		Bs[ty][tx] = x < n && b + ty < n ? B[(b + ty) * n + x] : 0;
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += (y < n && b + k < n ? A[y * n + b + k] : 0) * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum + (As[0][0] == 1e30f);
}
