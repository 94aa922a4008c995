// The last block reads what others wrote behind a fence that reaches their own block alone.
// @kernel reduce
// @grid 4
// @block 32
// @buffer out i32 1 0
// @buffer part i32 4 poison
// @buffer count u32 1 0
// @arg out
// @arg part
// @arg count
__global__ void reduce(int *out, int *part, unsigned *count)
{
	__shared__ bool last;
	if (threadIdx.x == 0) {
		part[blockIdx.x] = blockIdx.x + 1;
		__threadfence_block();
		last = atomicInc(count, gridDim.x) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		int sum = 0;
		for (int i = 0; i < gridDim.x; i++)
			sum += part[i]; // @race
		*out = sum;
	}
}
