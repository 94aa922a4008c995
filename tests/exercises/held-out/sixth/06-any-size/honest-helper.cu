__device__ __forceinline__ float at(const float *M, int r, int c, int n)
{
	return r < n && c < n ? M[(size_t)r * n + c] : 0.0f;
}
template <int T> struct Tile { float e[T][T]; };
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ Tile<16> a, b;
	const unsigned tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx, tiles = (n + 15) / 16;
	float sum = 0;
	for (int t = tiles - 1; t >= 0; t--) {
		a.e[ty][tx] = at(A, row, t * 16 + tx, n);
		b.e[ty][tx] = at(B, t * 16 + ty, column, n);
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum = fmaf(a.e[ty][k], b.e[k][tx], sum);
		__syncthreads();
	}
	if (row < n && column < n)
		C[(size_t)row * n + column] = sum;
}
