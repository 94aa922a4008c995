__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int words[256];
	const int t = threadIdx.x, i = blockIdx.x * 256 + t;
	if (i < n)
		words[255 - t] = in[i];
	__syncthreads();
	if (i >= n)
		return;
	out[i] = t == 255 || i == n - 1 ? 0 : words[254 - t];
}
