// tiles from the last to the first, bounds in a lambda
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][17], Bs[16][17];
	auto get = [n](const float *M, int r, int c) { return r < n && c < n ? __ldg(M + r * n + c) : 0.0f; };
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int t = (n + 15) / 16; t-- > 0; ) {
		As[ty][tx] = get(A, y, 16 * t + tx);
		Bs[ty][tx] = get(B, 16 * t + ty, x);
		__syncthreads();
#pragma unroll
		for (int k = 15; k >= 0; k--) sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (max(x, y) < n) C[y * n + x] = sum;
}
