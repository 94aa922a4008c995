// The pitch of the wrong side.
// @kernel copy
// @grid 2
// @block 32 4
// @buffer out f32 256 poison
// @buffer in f32 256 i
// @arg out
// @arg in
// @arg i32 64
// @arg i32 4
__global__ void copy(float *out, const float *in, int width, int height)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = threadIdx.y;
	out[x * width + y] = in[y * width + x]; // @memory
}
