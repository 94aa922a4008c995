// @kernel step
// @grid 2 2
// @block 8 8
// @buffer next i32 256 poison
// @buffer now i32 256 i * 7 % 3 == 0 ? 1 : 0
// @arg next
// @arg now
// @reference life
__global__ void step(int *next, const int *now)
{
	__shared__ int s[10][10];
	int x = blockIdx.x * 8, y = blockIdx.y * 8, t = threadIdx.y * 8 + threadIdx.x;
	for (int k = t; k < 100; k += 64)
		s[k / 10][k % 10] = now[(y + k / 10 + 15) % 16 * 16 + (x + k % 10 + 15) % 16];
	__syncthreads();
	int i = threadIdx.y + 1, j = threadIdx.x + 1, n = 0;
	for (int a = -1; a <= 1; a++)
		for (int b = -1; b <= 1; b++)
			n += a || b ? s[i + a][j + b] : 0;
	next[(y + threadIdx.y) * 16 + x + threadIdx.x] = n == 3 || (n == 2 && s[i][j]);
}
