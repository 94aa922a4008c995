// @kernel filter
// @grid 2
// @block 64
// @buffer out i32 128 poison
// @buffer in i32 130 i
// @arg out
// @arg in
// @expect out 4 * i + 4
__constant__ int weight[3] = {1, 2, 1};
__global__ void filter(int *out, const int *in)
{
	int i = blockIdx.x * 64 + threadIdx.x, sum = 0;
	for (int k = 0; k < 3; k++)
		sum += weight[k] * in[i + k];
	out[i] = sum;
}
