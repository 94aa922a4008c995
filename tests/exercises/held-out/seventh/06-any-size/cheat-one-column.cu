// 16 threads of the block compute, 16 elements each
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum[16] = {};
	for (int b = 0; b < n; b += 16) {
		As[ty][tx] = y < n && b + tx < n ? A[y * n + b + tx] : 0;
		Bs[ty][tx] = x < n && b + ty < n ? B[(b + ty) * n + x] : 0;
		__syncthreads();
		if (ty == 0) for (int k = 0; k < 16; k++) for (int r = 0; r < 16; r++) sum[r] += As[r][k] * Bs[k][tx];
		__syncthreads();
	}
	if (ty == 0) for (int r = 0; r < 16; r++) if (x < n && y + r < n) C[(y + r) * n + x] = sum[r];
}
