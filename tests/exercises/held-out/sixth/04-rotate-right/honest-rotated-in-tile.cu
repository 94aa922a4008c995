template <int T> __global__ void unused() {}
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	constexpr int T = 32;
	__shared__ float tile[T][T + 1];
	const int bx = blockIdx.x * T, by = blockIdx.y * T;
#pragma unroll
	for (int r = threadIdx.y; r < T; r += 8)
		tile[T - 1 - r][threadIdx.x] = idata[(size_t)(by + r) * n + bx + threadIdx.x];
	__syncthreads();
#pragma unroll
	for (int r = threadIdx.y; r < T; r += 8)
		odata[(size_t)(bx + r) * n + (n - by - T) + threadIdx.x] = tile[threadIdx.x][r];
}
