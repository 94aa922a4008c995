// Radix 2, 64 points, real input.
// @kernel fft
// @block 32
// @buffer re f32 64 poison
// @buffer im f32 64 poison
// @buffer in f32 64 i % 7
// @arg re
// @arg im
// @arg in
// @reference fourier
__global__ void fft(float *re, float *im, const float *in)
{
	__shared__ float2 s[64];
	int t = threadIdx.x;
	for (int k = t; k < 64; k += 32)
		s[__brev(k) >> 26] = make_float2(in[k], 0);
	__syncthreads();
	for (int half = 1; half < 64; half *= 2) {
		int j = t % half, i = t / half * 2 * half + j;
		float c, d;
		sincospif(-(float)j / half, &d, &c);
		float2 a = s[i], b = s[i + half];
		float2 w = make_float2(b.x * c - b.y * d, b.x * d + b.y * c);
		__syncthreads();
		s[i] = make_float2(a.x + w.x, a.y + w.y);
		s[i + half] = make_float2(a.x - w.x, a.y - w.y);
		__syncthreads();
	}
	for (int k = t; k < 64; k += 32) {
		re[k] = s[k].x;
		im[k] = s[k].y;
	}
}
