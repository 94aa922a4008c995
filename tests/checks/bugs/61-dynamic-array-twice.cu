// Two extern arrays are the same memory.
// @kernel two
// @block 32
// @shared 256
// @buffer out i32 32 poison
// @arg out
__global__ void two(int *out)
{
	extern __shared__ int keys[];
	extern __shared__ int values[];
	int t = threadIdx.x;
	keys[t] = t;
	values[31 - t] = 2 * t; // @race
	__syncthreads();
	out[t] = keys[t] + values[t];
}
