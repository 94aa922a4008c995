// @kernel largest
// @block 64
// @buffer out i32 1 poison
// @buffer in i32 64 i
// @arg out
// @arg in
__global__ void largest(int *out, const int *in)
{
	atomicMax(out, in[threadIdx.x]); // @init
}
