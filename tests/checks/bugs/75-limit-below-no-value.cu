// Every thread loads, none stores: the comparison is the wrong way round.
// @kernel cut
// @grid 2
// @block 64
// @buffer a f32 128 i
// @arg a
// @arg i32 128
__global__ void cut(float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && a[i] < 0)
		a[i] = 0; // @unused
}
