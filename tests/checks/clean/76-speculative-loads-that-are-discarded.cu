// What was loaded ahead of a condition goes through more selections and copies, and is discarded by the last of them.
// @kernel choose
// @grid 2
// @block 128
// @buffer out i32 1024 poison
// @buffer in i32 128 i % 3
// @arg out
// @arg in
// @arg i32 3
// @expect out i % 512 < 128 ? (i % 128 < 64 ? 5 : 7) : i % 512 < 256 ? (in[i % 128] == 1 ? 0 : in[i % 128]) : i % 512 < 384 ? 9 : 5
__device__ __noinline__ int deeper(const int *s, const int *in, int n)
{
	int v = s[threadIdx.x];
	int rest = n > 0 ? deeper(s, in, n - 1) : 5;
	return threadIdx.x < 64 ? v : rest;
}
__global__ void choose(int *out, const int *in, int n)
{
	__shared__ int s[128];
	__shared__ int2 pair[128];
	int t = threadIdx.x, o = blockIdx.x * 512;
	if (t < 64) s[t] = 5;
	pair[t].x = 9;
	__syncthreads();
	int v = s[t];
	int taken = in[t] >= 0 ? v : 1;
	out[o + t] = t < 64 ? taken : 7;
	int last = 0;
	for (int i = 0; i < n; i++) {
		int w = s[t];
		last = in[t] == i ? (n > t + 9 ? w : i) : last;
	}
	out[o + 128 + t] = last == 1 ? 0 : last;
	int2 p = pair[t];
	out[o + 256 + t] = in[t] < 5 ? p.x : p.y;
	out[o + 384 + t] = deeper(s, in, n);
}
