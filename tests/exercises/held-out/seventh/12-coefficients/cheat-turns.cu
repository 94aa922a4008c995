// the lanes load their different coefficients one after the other
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float sum = 0; for (int t = 0; t < 32; t++) { int k = (t + tid) % 32; float c = 0; for (int l = 0; l < 32; l++) if (tid % 32 == l) c = ((volatile float *)coefficients)[k]; sum += c * in[i + k]; } out[i] = sum;
}
