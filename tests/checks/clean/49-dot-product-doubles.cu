// @kernel dot
// @grid 3
// @block 64
// @buffer out f64 1 0
// @buffer a f64 192 i
// @buffer b f64 192 2
// @arg out
// @arg a
// @arg b
// @expect out 36672
__global__ void dot(double *out, const double *a, const double *b)
{
	__shared__ double s[64];
	int i = blockIdx.x * 64 + threadIdx.x;
	s[threadIdx.x] = a[i] * b[i];
	for (int d = 32; d > 0; d /= 2) {
		__syncthreads();
		if (threadIdx.x < d)
			s[threadIdx.x] += s[threadIdx.x + d];
	}
	if (threadIdx.x == 0)
		atomicAdd(out, s[0]);
}
