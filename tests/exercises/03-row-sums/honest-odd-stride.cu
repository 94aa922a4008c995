// A flat array with an odd stride, and four partial sums.
__global__ void row_sums(float *sums, const float *in)
{
	constexpr int S = 35;
	__shared__ float s[32 * S];
	int t = threadIdx.x, first = blockIdx.x * 32;
#pragma unroll
	for (int i = 0; i < 32; i++)
		s[i * S + t] = in[(first + i) * 32 + t];
	__syncthreads();
	float a = 0, b = 0, c = 0, d = 0;
#pragma unroll
	for (int k = 0; k < 32; k += 4) {
		a += s[t * S + k];
		b += s[t * S + k + 1];
		c += s[t * S + k + 2];
		d += s[t * S + k + 3];
	}
	sums[first + t] = (a + b) + (c + d);
}
