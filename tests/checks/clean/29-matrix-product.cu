// @kernel product
// @grid 2 2
// @block 16 16
// @buffer c f32 1024 poison
// @buffer a f32 1024 i % 7
// @buffer b f32 1024 i % 5
// @arg c
// @arg a
// @arg b
// @arg i32 32
// @reference matrix_product
__global__ void product(float *c, const float *a, const float *b, int n)
{
	__shared__ float ta[16][16], tb[16][16];
	int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
	float sum = 0;
	for (int k = 0; k < n; k += 16) {
		ta[y][x] = a[row * n + k + x];
		tb[y][x] = b[(k + y) * n + col];
		__syncthreads();
		for (int i = 0; i < 16; i++)
			sum += ta[y][i] * tb[i][x];
		__syncthreads();
	}
	c[row * n + col] = sum;
}
