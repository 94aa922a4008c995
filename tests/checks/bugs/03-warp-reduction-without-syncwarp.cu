// Lanes of a warp are taken to run in step.
// @kernel reduce
// @block 32
// @buffer out f32 1 poison
// @buffer in f32 32 i
// @arg out
// @arg in
__global__ void reduce(float *out, const float *in)
{
	__shared__ float s[64];
	int l = threadIdx.x;
	s[l] = in[l];
	s[l + 32] = 0;
	__syncwarp();
#pragma unroll 1
	for (int d = 16; d > 0; d /= 2)
		s[l] += s[l + d]; // @race
	if (l == 0)
		out[0] = s[0];
}
