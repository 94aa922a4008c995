// The right neighbour of the last element.
// @kernel differences
// @grid 2
// @block 64
// @buffer out f32 128 poison
// @buffer in f32 128 i
// @arg out
// @arg in
// @arg i32 128
__global__ void differences(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i + 1] - in[i]; // @memory
}
