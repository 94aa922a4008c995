// Blocks take one of two locks but share what is behind them.
// @kernel add
// @schedules
// @grid 4
// @block 1
// @buffer total i32 1 0
// @buffer locks i32 2 0
// @arg total
// @arg locks
__global__ void add(int *total, int *locks)
{
	int *lock = locks + blockIdx.x % 2;
	while (atomicCAS(lock, 0, 1) != 0) {
	}
	__threadfence();
	*total += blockIdx.x; // @race
	__threadfence();
	atomicExch(lock, 0);
}
