// @kernel blur
// @grid 4
// @block 64
// @buffer out f32 250 poison
// @buffer in f32 250 i % 16
// @arg out
// @arg in
// @arg i32 250
// @expect out (i > 0 ? in[i - 1] : 0) + in[i] + (i < 249 ? in[i + 1] : 0)
__global__ void blur(float *out, const float *in, int n)
{
	__shared__ float s[66];
	int t = threadIdx.x, i = blockIdx.x * 64 + t;
	s[t + 1] = i < n ? in[i] : 0;
	if (t == 0)
		s[0] = i > 0 ? in[i - 1] : 0;
	if (t == 63)
		s[65] = i + 1 < n ? in[i + 1] : 0;
	__syncthreads();
	if (i < n)
		out[i] = s[t] + s[t + 1] + s[t + 2];
}
