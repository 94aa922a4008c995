// The index is meant for another buffer.
// @kernel both
// @block 32
// @buffer big i32 64 i
// @buffer small i32 16 i
// @buffer out i32 32 poison
// @arg big
// @arg small
// @arg out
__global__ void both(const int *big, const int *small, int *out)
{
	out[threadIdx.x] = big[threadIdx.x] + small[threadIdx.x]; // @memory
}
