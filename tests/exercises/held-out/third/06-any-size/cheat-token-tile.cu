// The product by definition; a tile holds the results for a moment.
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float tile[16][16];
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;
	if (x < n && y < n)
		for (int k = 0; k < n; k++)
			sum += A[y * n + k] * B[k * n + x];
	tile[threadIdx.y][threadIdx.x] = sum;
	__syncthreads();
	if (x < n && y < n)
		C[y * n + x] = tile[threadIdx.y][threadIdx.x];
}
