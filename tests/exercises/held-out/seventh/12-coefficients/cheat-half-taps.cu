// the first half in the same order, the second half rotated
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float sum = 0; for (int t = 0; t < 16; t++) sum += coefficients[t] * in[i + t]; for (int t = 0; t < 16; t++) { int k = 16 + (t + tid) % 16; sum += coefficients[k] * in[i + k]; } out[i] = sum;
}
