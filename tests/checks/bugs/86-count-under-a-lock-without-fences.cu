// One thread per block takes the lock, by an exchange.
// @kernel count
// @grid 6
// @block 32
// @buffer total i32 1 0
// @buffer lock i32 1 0
// @arg total
// @arg lock
__global__ void count(int *total, int *lock)
{
	if (threadIdx.x == 0) {
		while (atomicExch(lock, 1) != 0) {
		}
		*total = *total + 1; // @race
		atomicExch(lock, 0);
	}
}
