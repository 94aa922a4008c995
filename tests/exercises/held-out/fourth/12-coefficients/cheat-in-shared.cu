// The coefficients are copied to shared memory, and rotated there.
__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	__shared__ float taps[32];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x < 32)
		taps[threadIdx.x] = coefficients[threadIdx.x];
	__syncthreads();
	float sum = 0;
	for (int t = 0; t < 32; t++) {
		int k = (t + threadIdx.x) % 32;
		sum += taps[k] * in[i + k];
	}
	out[i] = sum;
}
