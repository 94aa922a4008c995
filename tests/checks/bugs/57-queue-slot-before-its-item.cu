// The end of the queue moves before the item is there, and readers trust the end.
// @kernel work
// @schedules
// @grid 2
// @block 1
// @buffer out i32 1 0
// @buffer items i32 4 0
// @buffer end i32 1 0
// @arg out
// @arg items
// @arg end
__global__ void work(int *out, int *items, int *end)
{
	if (blockIdx.x == 0) {
		int at = atomicAdd(end, 1);
		items[at] = 5; // @race
	} else {
		while (atomicAdd(end, 0) == 0) {
		}
		__threadfence();
		*out = items[0];
	}
}
