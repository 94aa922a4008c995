// all words loaded coalesced once per component
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[768];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	float sum = 0;
	for (int c = 0; c < 3; c++) {
		for (int k = t; k < 768; k += 256) s[k] = ((const volatile float *)points)[768 * blockIdx.x + k];
		__syncthreads();
		sum += s[3 * t + c] * s[3 * t + c];
		__syncthreads();
	}
	out[i] = sum;
}
