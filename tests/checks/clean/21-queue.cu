// A work queue: places are taken with atomics, what is in them is published by its own flag.
// @kernel work
// @grid 4
// @block 32
// @buffer done i32 64 0
// @buffer items i32 256 poison
// @buffer full i32 256 0
// @buffer ends i32 2 0
// @arg done
// @arg items
// @arg full
// @arg ends
// @reference queue
__global__ void work(int *done, int *items, int *full, int *ends)
{
	int id = blockIdx.x * 32 + threadIdx.x;
	if (blockIdx.x < 2) {
		int at = atomicAdd(&ends[0], 1);
		items[at] = id;
		__threadfence();
		atomicExch(&full[at], 1);
	} else {
		int at = atomicAdd(&ends[1], 1);
		while (atomicAdd(&full[at], 0) == 0) {
		}
		__threadfence();
		atomicAdd(&done[items[at]], 1);
	}
}
