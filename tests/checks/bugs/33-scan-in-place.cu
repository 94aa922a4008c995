// A barrier is missing between reading the neighbour and writing over it.
// @kernel scan
// @schedules
// @block 128
// @buffer out i32 128 poison
// @buffer in i32 128 1
// @arg out
// @arg in
__global__ void scan(int *out, const int *in)
{
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	for (int d = 1; d < 128; d *= 2) {
		if (t >= d)
			s[t] += s[t - d]; // @race
		__syncthreads();
	}
	out[t] = s[t];
}
