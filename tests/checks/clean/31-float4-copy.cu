// @kernel copy
// @grid 2
// @block 32
// @buffer out f32 256 poison
// @buffer in f32 256 i
// @arg out
// @arg in
// @expect out i
__global__ void copy(float4 *out, const float4 *in)
{
	int i = blockIdx.x * 32 + threadIdx.x;
	out[i] = in[i];
}
