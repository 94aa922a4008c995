// One thread too many passes.
// @kernel scale
// @grid 2
// @block 64
// @buffer a f32 100 i
// @arg a
// @arg i32 100
__global__ void scale(float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n)
		a[i] *= 2; // @memory
}
