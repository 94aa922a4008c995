// Every lane shuffles in a group of eight, but takes the value of the next group's first lane.
// @kernel next
// @block 32
// @buffer out i32 32 poison
// @arg out
__global__ void next(int *out)
{
	int l = threadIdx.x;
	unsigned group = 0xffu << (l & ~7);
	out[l] = l + __shfl_sync(group, l, (l & ~7) + 8); // @sync
}
