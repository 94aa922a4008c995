// @kernel add
// @grid 8
// @block 64
// @buffer total i32 2 0
// @buffer lock i32 1 0
// @arg total
// @arg lock
// @expect total i == 0 ? 512 : 130816
__global__ void add(int *total, int *lock)
{
	bool done = false;
	while (!done) {
		if (atomicCAS(lock, 0, 1) == 0) {
			__threadfence();
			total[0] += 1;
			total[1] += blockIdx.x * blockDim.x + threadIdx.x;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
	}
}
