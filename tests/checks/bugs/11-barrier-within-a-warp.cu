// Odd and even lanes wait at different barriers.
// @kernel odd
// @block 64
// @buffer out i32 64 poison
// @arg out
__global__ void odd(int *out)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = t;
	if (t & 1) {
		__syncthreads(); // @sync
		out[t] = s[63 - t];
	} else {
		__syncthreads(); // @sync
		out[t] = s[63 - t] + 1;
	}
}
