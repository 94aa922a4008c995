// No thread passes.
// @kernel scale
// @grid 2
// @block 64
// @buffer a f32 128 i
// @arg a
// @arg i32 128
__global__ void scale(float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		a[i] *= 2; // @unused
}
