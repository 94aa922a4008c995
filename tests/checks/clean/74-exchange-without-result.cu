// An atomicExch whose result is not used only stores.
// @kernel mark
// @block 64
// @buffer out i32 4 poison
// @arg out
// @expect out 1
__global__ void mark(int *out)
{
	atomicExch(&out[threadIdx.x % 4], 1);
}
