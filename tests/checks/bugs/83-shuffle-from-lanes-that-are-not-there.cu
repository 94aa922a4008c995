// Twenty lanes sum with a mask of their own, and read lanes behind them.
// @kernel sum
// @block 32
// @buffer out i32 1 poison
// @arg out
__global__ void sum(int *out)
{
	int v = threadIdx.x;
	if (threadIdx.x < 20) {
		for (int d = 16; d; d /= 2)
			v += __shfl_down_sync(0xfffff, v, d); // @sync
		if (threadIdx.x == 0)
			*out = v;
	}
}
