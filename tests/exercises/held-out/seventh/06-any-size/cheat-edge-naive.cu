// tiles for blocks inside, naive for blocks at the edge and for the last k
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	int b = 0;
	if ((blockIdx.x + 1) * 16 <= n && (blockIdx.y + 1) * 16 <= n)
		for (; b + 16 <= n; b += 16) {
			As[ty][tx] = A[y * n + b + tx]; Bs[ty][tx] = B[(b + ty) * n + x];
			__syncthreads();
			for (int k = 0; k < 16; k++) sum += As[ty][k] * Bs[k][tx];
			__syncthreads();
		}
	if (x >= n || y >= n) return;
	for (; b < n; b++) sum += A[y * n + b] * B[b * n + x];
	C[y * n + x] = sum;
}
