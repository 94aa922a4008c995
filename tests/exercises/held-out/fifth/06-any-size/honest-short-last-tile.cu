// Nothing is padded: the last tile along k is shorter, and threads outside C only load.
constexpr int TILE = 16;
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	const bool inside = x < n && y < n;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		const int depth = min(TILE, n - b);
		if (y < n && tx < depth)
			As[ty][tx] = A[y * n + b + tx];
		if (x < n && ty < depth)
			Bs[ty][tx] = B[(b + ty) * n + x];
		__syncthreads();
		if (inside)
			for (int k = 0; k < depth; k++)
				sum = fmaf(As[ty][k], Bs[k][tx], sum);
		__syncthreads();
	}
	if (inside)
		C[y * n + x] = sum;
}
