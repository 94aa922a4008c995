// One step: all who find a vertex write the same level, and the same flag.
// @kernel visit
// @grid 2
// @block 32
// @buffer level i32 65 i == 0 ? 0 : i < 3 ? 1 : -1
// @buffer changed i32 1 0
// @arg level
// @arg changed
// @arg i32 1
// @arg i32 65
// @expect level i == 0 ? 0 : i < 3 ? 1 : i < 7 ? 2 : -1
// @expect changed 1
__global__ void visit(int *level, int *changed, int now, int n)
{
	int i = blockIdx.x * 32 + threadIdx.x;
	if (*(volatile int *)&level[i] != now)
		return;
	for (int k = 1; k <= 2; k++) {
		int next = 2 * i + k;
		if (next < n && atomicCAS(&level[next], -1, now + 1) == -1)
			*changed = 1;
	}
}
