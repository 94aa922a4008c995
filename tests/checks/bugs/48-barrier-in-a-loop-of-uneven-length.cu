// Warps go round the loop a different number of times.
// @kernel rounds
// @block 64
// @buffer out i32 64 poison
// @arg out
__global__ void rounds(int *out)
{
	__shared__ int s[64];
	int t = threadIdx.x, n = 1 + t / 32;
	s[t] = 0;
#pragma unroll 1
	for (int k = 0; k < n; k++) {
		s[t] += k;
		__syncthreads(); // @sync
	}
	out[t] = s[t];
}
