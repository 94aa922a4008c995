// two different coefficients per warp
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float sum = 0; for (int t = 0; t < 32; t++) { int k = (t + tid % 2 * 16) % 32; sum += coefficients[k] * in[i + k]; } out[i] = sum;
}
