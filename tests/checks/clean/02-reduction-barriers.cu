// @kernel reduce
// @grid 3
// @block 256
// @buffer out i32 3 poison
// @buffer in i32 768 i
// @arg out
// @arg in
// @expect out 256 * 256 * i + 32640
__global__ void reduce(int *out, const int *in)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (int d = 128; d > 0; d /= 2) {
		if (t < d)
			s[t] += s[t + d];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = s[0];
}
