// @kernel reduce
// @grid 2
// @block 64
// @buffer out i32 4 poison
// @buffer in i32 128 i
// @arg out
// @arg in
// @expect out 1024 * i + 496
__global__ void reduce(int *out, const int *in)
{
	__shared__ int s[64];
	int t = threadIdx.x, l = t % 32;
	s[t] = in[blockIdx.x * 64 + t];
	__syncwarp();
	for (int d = 16; d > 0; d /= 2) {
		int v = l < d ? s[t + d] : 0;
		__syncwarp();
		s[t] += v;
		__syncwarp();
	}
	if (l == 0)
		out[(blockIdx.x * 64 + t) / 32] = s[t];
}
