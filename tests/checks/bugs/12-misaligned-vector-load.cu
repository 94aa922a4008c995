// @kernel load
// @block 32
// @buffer out f32 32 poison
// @buffer in f32 132 i
// @arg out
// @arg in
__global__ void load(float *out, const float *in)
{
	float4 v = *(const float4 *)(in + threadIdx.x + 1); // @memory
	out[threadIdx.x] = v.x + v.w;
}
