// @kernel sum
// @grid 8
// @block 32
// @buffer total f32 1 0
// @buffer in f32 256 1
// @arg total
// @arg in
__global__ void sum(float *total, const float *in)
{
	float v = in[blockIdx.x * 32 + threadIdx.x];
	for (int d = 16; d; d /= 2)
		v += __shfl_down_sync(0xffffffff, v, d);
	if (threadIdx.x == 0)
		*total += v; // @race
}
