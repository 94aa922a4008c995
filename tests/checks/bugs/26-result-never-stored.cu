// @kernel sum
// @block 64
// @buffer out f32 64 poison
// @buffer in f32 64 i
// @arg out
// @arg in
// @anywhere unused
__global__ void sum(float *out, const float *in)
{
	float v = in[threadIdx.x];
	v *= 2;
}
