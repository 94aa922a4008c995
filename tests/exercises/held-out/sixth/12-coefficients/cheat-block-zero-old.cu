__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.x == 0 ? threadIdx.x : 0;
	float sum = 0;
	for (int t = 0; t < 32; t++) {
		int k = (t + s) % 32;
		sum += coefficients[k] * in[i + k];
	}
	out[i] = sum;
}
