// @kernel sum
// @block 32
// @buffer out i32 32 poison
// @arg out
__global__ void sum(int *out)
{
	int v = threadIdx.x;
	v += __shfl_xor_sync(0xfffffffe, v, 1); // @sync
	out[threadIdx.x] = v;
}
