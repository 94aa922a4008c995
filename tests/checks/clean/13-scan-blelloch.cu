// @kernel scan
// @block 128
// @buffer out i32 256 poison
// @buffer in i32 256 i % 5
// @arg out
// @arg in
// @reference exclusive_scan
__global__ void scan(int *out, const int *in)
{
	__shared__ int s[256];
	int t = threadIdx.x, step = 1;
	s[2 * t] = in[2 * t];
	s[2 * t + 1] = in[2 * t + 1];
	for (int d = 128; d > 0; d /= 2, step *= 2) {
		__syncthreads();
		if (t < d)
			s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
	}
	if (t == 0)
		s[255] = 0;
	for (int d = 1; d < 256; d *= 2) {
		step /= 2;
		__syncthreads();
		if (t < d) {
			int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;
			int left = s[a];
			s[a] = s[b];
			s[b] += left;
		}
	}
	__syncthreads();
	out[2 * t] = s[2 * t];
	out[2 * t + 1] = s[2 * t + 1];
}
