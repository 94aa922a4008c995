// Thread 0 takes the lock, all threads of the block work behind it.
// @kernel add
// @grid 6
// @block 64
// @buffer total i32 64 0
// @buffer lock i32 1 0
// @arg total
// @arg lock
// @expect total 6 * i + 15
__global__ void add(int *total, int *lock)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0, 1) != 0) {
		}
		__threadfence();
	}
	__syncthreads();
	total[threadIdx.x] += threadIdx.x + blockIdx.x;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		atomicExch(lock, 0);
}
