// All blocks meet at a counter between two passes.
// @kernel passes
// @grid 4
// @block 64
// @buffer out i32 256 poison
// @buffer temp i32 256 poison
// @buffer count u32 1 0
// @arg out
// @arg temp
// @arg count
// @expect out 255 - i + 1
__global__ void passes(int *out, int *temp, unsigned *count)
{
	int i = blockIdx.x * 64 + threadIdx.x;
	temp[i] = i + 1;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(count, 1);
		while (atomicAdd(count, 0) < gridDim.x) {
		}
		__threadfence();
	}
	__syncthreads();
	out[i] = temp[255 - i];
}
