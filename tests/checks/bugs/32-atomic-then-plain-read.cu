// @kernel count
// @block 128
// @buffer out i32 128 poison
// @arg out
__global__ void count(int *out)
{
	__shared__ int n;
	if (threadIdx.x == 0)
		n = 0;
	__syncthreads();
	atomicAdd(&n, 1); // @race
	out[threadIdx.x] = n;
}
