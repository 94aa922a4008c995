// @kernel sum
// @block 64
// @buffer out i32 1 poison
// @buffer in i32 64 i
// @arg out
// @arg in
__global__ void sum(int *out, const int *in)
{
	__shared__ int total;
	atomicAdd(&total, in[threadIdx.x]); // @init
	__syncthreads();
	if (threadIdx.x == 0)
		*out = total;
}
