// @kernel fill
// @block 32
// @arg u64 0
__global__ void fill(int *out)
{
	out[threadIdx.x] = 1; // @memory
}
