// Warp 0 fills, warp 1 empties; a volatile flag in shared memory goes to and fro.
// @kernel pipe
// @block 64
// @buffer out i32 128 poison
// @arg out
// @expect out i * 2
__global__ void pipe(int *out)
{
	__shared__ int slot[32];
	__shared__ volatile int full;
	int lane = threadIdx.x % 32;
	if (threadIdx.x == 0)
		full = 0;
	__syncthreads();
	for (int k = 0; k < 4; k++) {
		int want = threadIdx.x < 32 ? 0 : 1;
		while (full != want) {
		}
		__threadfence_block();
		__syncwarp();
		if (want == 0)
			slot[lane] = (k * 32 + lane) * 2;
		else
			out[k * 32 + lane] = slot[lane];
		__threadfence_block();
		__syncwarp();
		if (lane == 0)
			full = 1 - want;
		__syncwarp();
	}
}
