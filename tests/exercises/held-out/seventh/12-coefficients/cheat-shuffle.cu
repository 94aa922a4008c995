// each lane loads its coefficient, shuffles distribute it
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
float own = coefficients[tid % 32], sum = 0; for (int t = 0; t < 32; t++) sum += __shfl_sync(~0u, own, t) * in[i + t]; out[i] = sum;
}
