// @kernel product
// @block 16 16
// @buffer c f32 256 poison
// @buffer a f32 512 i % 7
// @buffer b f32 512 i % 5
// @arg c
// @arg a
// @arg b
__global__ void product(float *c, const float *a, const float *b)
{
	__shared__ float ta[16][16], tb[16][16];
	int x = threadIdx.x, y = threadIdx.y;
	float sum = 0;
#pragma unroll 1
	for (int k = 0; k < 32; k += 16) {
		ta[y][x] = a[y * 32 + k + x]; // @race
		tb[y][x] = b[(k + y) * 16 + x]; // @race
		__syncthreads();
#pragma unroll 1
		for (int i = 0; i < 16; i++)
			sum += ta[y][i] * tb[i][x];
	}
	c[y * 16 + x] = sum;
}
