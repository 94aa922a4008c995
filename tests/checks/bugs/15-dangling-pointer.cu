// @kernel copy
// @block 64
// @buffer out f32 64 poison
// @buffer in f32 64 i
// @free in
// @arg out
// @arg in
__global__ void copy(float *out, const float *in)
{
	out[threadIdx.x] = in[threadIdx.x]; // @memory
}
