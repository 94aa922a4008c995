// all 32 coefficients for each tap, one selected
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float sum = 0; for (int t = 0; t < 32; t++) { int k = (t + tid) % 32; float c = 0; for (int j = 0; j < 32; j++) if (j == k) c = coefficients[j]; sum += c * in[i + k]; } out[i] = sum;
}
