// A conditional subtraction for the modulo.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int k = i + 194;
	k -= k >= n ? n : 0;
	out[i] = __ldg(in + k);
}
