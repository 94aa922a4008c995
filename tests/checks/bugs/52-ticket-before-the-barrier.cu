// Thread 0 takes the ticket while its block still writes.
// @kernel sum
// @schedules
// @grid 3
// @block 64
// @buffer out i32 64 poison
// @buffer part i32 192 poison
// @buffer count u32 1 0
// @arg out
// @arg part
// @arg count
__global__ void sum(int *out, int *part, unsigned *count)
{
	__shared__ bool last;
	int t = threadIdx.x;
	if (t == 0) {
		__threadfence();
		last = atomicAdd(count, 1) == gridDim.x - 1;
	}
	part[blockIdx.x * 64 + t] = t; // @race
	__threadfence();
	__syncthreads();
	if (last) {
		int v = 0;
		for (int b = 0; b < 3; b++)
			v += part[b * 64 + t];
		out[t] = v;
	}
}
