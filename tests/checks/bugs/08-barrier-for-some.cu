// Half of the block never comes.
// @kernel half
// @block 128
// @buffer out i32 128 poison
// @arg out
__global__ void half(int *out)
{
	__shared__ int s[128];
	if (threadIdx.x < 64) {
		s[threadIdx.x] = threadIdx.x;
		__syncthreads(); // @sync
		out[threadIdx.x] = s[63 - threadIdx.x];
	}
}
