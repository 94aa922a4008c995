// @kernel differences
// @block 64
// @buffer out f32 64 poison
// @buffer in f32 64 i
// @arg out
// @arg in
__global__ void differences(float *out, const float *in)
{
	int i = threadIdx.x;
	out[i] = in[i] - in[i - 1]; // @memory
}
