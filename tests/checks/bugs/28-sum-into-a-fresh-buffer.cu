// The host did not clear it.
// @kernel add
// @block 64
// @buffer out f32 64 poison
// @buffer in f32 64 i
// @arg out
// @arg in
__global__ void add(float *out, const float *in)
{
	out[threadIdx.x] += in[threadIdx.x]; // @init
}
