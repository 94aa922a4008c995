// @kernel squeeze
// @block 32
// @buffer out i32 16 poison
// @arg out
__global__ void squeeze(int *out)
{
	out[threadIdx.x / 2] = threadIdx.x; // @race
}
