// Blocks meet at a counter, but nothing makes their writes visible first.
// @kernel passes
// @grid 4
// @block 32
// @buffer out i32 128 poison
// @buffer temp i32 128 poison
// @buffer count u32 1 0
// @arg out
// @arg temp
// @arg count
__global__ void passes(int *out, int *temp, unsigned *count)
{
	int i = blockIdx.x * 32 + threadIdx.x;
	temp[i] = i + 1; // @race
	__syncthreads();
	if (threadIdx.x == 0) {
		atomicAdd(count, 1);
		while (atomicAdd(count, 0) < gridDim.x) {
		}
	}
	__syncthreads();
	out[i] = temp[127 - i];
}
