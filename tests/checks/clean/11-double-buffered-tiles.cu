// @kernel sums
// @block 64
// @buffer out i32 64 poison
// @buffer in i32 512 i % 10
// @arg out
// @arg in
// @arg i32 512
// @reference double_buffered
__global__ void sums(int *out, const int *in, int n)
{
	__shared__ int tile[2][64];
	int t = threadIdx.x, sum = 0, now = 0;
	tile[0][t] = in[t];
	__syncthreads();
	for (int base = 0; base < n; base += 64) {
		if (base + 64 < n)
			tile[1 - now][t] = in[base + 64 + t];
		for (int k = 0; k < 64; k++)
			sum += tile[now][k] * ((k + t) % 3);
		__syncthreads();
		now = 1 - now;
	}
	out[t] = sum;
}
