// @kernel add
// @grid 8
// @block 32
// @buffer total i32 1 0
// @buffer tickets u32 2 0
// @arg total
// @arg tickets
// @expect total 28
// @expect tickets 8
__global__ void add(int *total, unsigned *tickets)
{
	if (threadIdx.x)
		return;
	unsigned mine = atomicAdd(&tickets[0], 1);
	while (atomicAdd(&tickets[1], 0) != mine) {
	}
	__threadfence();
	*total += blockIdx.x;
	__threadfence();
	atomicAdd(&tickets[1], 1);
}
