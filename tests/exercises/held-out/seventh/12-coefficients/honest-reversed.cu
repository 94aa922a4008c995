// backwards with pointers and two sums
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
const float *p = in + i + 31; float even = 0, odd = 0;
#pragma unroll
for (int t = 31; t > 0; t -= 2, p -= 2) { odd = fmaf(coefficients[t], p[0], odd); even = fmaf(coefficients[t - 1], p[-1], even); } out[i] = even + odd;
}
