// honest: wraps by subtraction instead of the modulo
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	const int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i >= n)
		return;
	int from = i + 194;
	while (from >= n)
		from -= n;
	out[i] = in[from];
}
