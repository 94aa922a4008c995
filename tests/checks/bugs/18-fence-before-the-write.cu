// The fence stands on the wrong side of what it should publish.
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
		__threadfence();
		part[blockIdx.x] = blockIdx.x + 1; // @race
		last = atomicInc(count, gridDim.x) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		int sum = 0;
		for (int i = 0; i < gridDim.x; i++)
			sum += part[i];
		*out = sum;
	}
}
