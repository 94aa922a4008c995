// A stencil that writes over what the next block still reads.
// @kernel blur
// @schedules
// @grid 4
// @block 32
// @buffer a f32 128 i
// @arg a
// @arg i32 128
__global__ void blur(float *a, int n)
{
	int i = blockIdx.x * 32 + threadIdx.x;
	float left = i > 0 ? a[i - 1] : 0; // @race
	__syncthreads();
	if (i < n)
		a[i] = left;
}
