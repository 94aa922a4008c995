// coefficients copied to shared memory, per-thread start as before
constexpr int TAPS = 32;
__constant__ float coefficients[TAPS];
__global__ void filter(float *out, const float *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ float c[32]; if (tid < 32) c[tid] = coefficients[tid]; __syncthreads(); float sum = 0; for (int t = 0; t < 32; t++) { int k = (t + tid) % 32; sum += c[k] * in[i + k]; } out[i] = sum;
}
