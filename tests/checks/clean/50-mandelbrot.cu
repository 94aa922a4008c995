// Threads leave their loops at different times.
// @kernel escape
// @grid 2 2
// @block 16 8
// @buffer out i32 512 poison
// @arg out
// @reference mandelbrot
__global__ void escape(int *out)
{
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, n = 0;
	float cr = x * 0.0625f - 1.5f, ci = y * 0.125f - 1.0f, r = 0, i = 0;
	while (n < 50 && r * r + i * i < 4) {
		float next = __fadd_rn(__fsub_rn(__fmul_rn(r, r), __fmul_rn(i, i)), cr);
		i = __fadd_rn(__fmul_rn(2 * r, i), ci);
		r = next;
		n++;
	}
	out[y * 32 + x] = n;
}
