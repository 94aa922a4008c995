// Every thread stores and fences; one takes the ticket after the barrier.
// @kernel sum
// @grid 4
// @block 64
// @buffer out i32 64 poison
// @buffer part i32 256 poison
// @buffer count u32 1 0
// @arg out
// @arg part
// @arg count
// @expect out 4 * i + 600
__global__ void sum(int *out, int *part, unsigned *count)
{
	__shared__ bool last;
	int t = threadIdx.x;
	part[blockIdx.x * 64 + t] = t + blockIdx.x * 100;
	__threadfence();
	__syncthreads();
	if (t == 0)
		last = atomicAdd(count, 1) == gridDim.x - 1;
	__syncthreads();
	if (last) {
		int v = 0;
		for (int b = 0; b < 4; b++)
			v += part[b * 64 + t];
		out[t] = v;
	}
}
