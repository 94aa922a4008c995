__global__ void follow(float *out, const float *in, const int *, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int from = i + 194;
	while (from >= n)
		from -= n;
	out[i] = in[from];
}
