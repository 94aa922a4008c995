__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float a_tile[16][16];
	__shared__ float b_tile[16][16];
	const int column = blockIdx.x * blockDim.x + threadIdx.x;
	const int row = blockIdx.y * blockDim.y + threadIdx.y;
	const bool row_exists = row < n, column_exists = column < n;

	float c = 0.f;
	for (int tile = 0; tile < (n + 15) / 16; tile++) {
		int a_column = tile * 16 + threadIdx.x, b_row = tile * 16 + threadIdx.y;
		float a = 0.f, b = 0.f;
		if (row_exists && a_column < n)
			a = A[row * n + a_column];
		if (column_exists && b_row < n)
			b = B[b_row * n + column];
		a_tile[threadIdx.y][threadIdx.x] = a;
		b_tile[threadIdx.y][threadIdx.x] = b;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			c += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
		__syncthreads();
	}
	if (row_exists && column_exists)
		C[row * n + column] = c;
}
