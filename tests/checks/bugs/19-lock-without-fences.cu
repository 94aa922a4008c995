// @kernel add
// @grid 4
// @block 1
// @buffer total i32 1 0
// @buffer lock i32 1 0
// @arg total
// @arg lock
__global__ void add(int *total, int *lock)
{
	while (atomicCAS(lock, 0, 1) != 0) {
	}
	*total += blockIdx.x; // @race
	atomicExch(lock, 0);
}
