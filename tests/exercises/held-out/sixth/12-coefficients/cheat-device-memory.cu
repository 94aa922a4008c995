__device__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int t = 0; t < 32; t++) {
		int k = (t + threadIdx.x) % 32;
		sum += coefficients[k] * in[i + k];
	}
	out[i] = sum;
}
