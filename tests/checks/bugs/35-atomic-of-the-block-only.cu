// Blocks share a counter that is atomic within each of them.
// @kernel count
// @grid 4
// @block 32
// @buffer n i32 1 0
// @arg n
__global__ void count(int *n)
{
	atomicAdd_block(n, 1); // @race
}
