// Block 0 hands its data on through a flag; each block to the next.
// @kernel chain
// @grid 6
// @block 32
// @buffer data i32 192 poison
// @buffer flags i32 6 0
// @arg data
// @arg flags
// @expect data i % 32 + i / 32
__global__ void chain(int *data, volatile int *flags)
{
	int b = blockIdx.x, t = threadIdx.x, v = t;
	if (b > 0) {
		if (t == 0) {
			while (flags[b - 1] == 0) {
			}
			__threadfence();
		}
		__syncthreads();
		v = data[(b - 1) * 32 + t] + 1;
	}
	data[b * 32 + t] = v;
	__threadfence();
	__syncthreads();
	if (t == 0)
		flags[b] = 1;
}
