// @kernel count
// @block 96
// @buffer out i32 96 poison
// @arg out
// @expect out 48 + 1 * 100
__global__ void count(int *out)
{
	int n = __syncthreads_count(threadIdx.x % 2);
	int any = __syncthreads_or(threadIdx.x == 95);
	out[threadIdx.x] = n + (any ? 100 : 0);
}
