template <unsigned T, unsigned R> __device__ __forceinline__ void move(float *to, const float *from, int rows, int columns)
{
	__shared__ float tile[T][T + 1];
	unsigned x = blockIdx.x * T + threadIdx.x;
#pragma unroll
	for (unsigned r = threadIdx.y; r < T; r += R) {
		unsigned y = blockIdx.y * T + r;
		if (y >= rows || x >= columns)
			break;
		tile[r][threadIdx.x] = from[(size_t)y * columns + x];
	}
	__syncthreads();
	x = blockIdx.y * T + threadIdx.x;
	for (unsigned r = threadIdx.y; r < T && x < rows; r += R) {
		unsigned y = blockIdx.x * T + r;
		if (y < columns)
			to[(size_t)y * rows + x] = tile[threadIdx.x][r];
	}
}
__global__ void rectangle(float *odata, const float *idata, int rows, int columns) { move<32, 8>(odata, idata, rows, columns); }
