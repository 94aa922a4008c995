__constant__ float coefficients[32];
__global__ void filter(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float own = coefficients[threadIdx.x % 32], sum = 0;
	for (int t = 0; t < 32; t++)
		sum += __shfl_sync(~0u, own, t) * in[i + t];
	out[i] = sum;
}
