// cheat: the tiles are filled as they should be, but the products come from global memory
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ volatile float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = y < n && b + tx < n ? A[y * n + b + tx] : 0;
		Bs[ty][tx] = b + ty < n && x < n ? B[(b + ty) * n + x] : 0;
		__syncthreads();
		if (x < n && y < n)
			for (int k = b; k < n && k < b + TILE; k++)
				sum += A[y * n + k] * B[k * n + x];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
