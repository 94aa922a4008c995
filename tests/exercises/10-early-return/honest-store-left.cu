// Each thread stores its element where the left neighbor looks.
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int s[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	int own = 0;
	if (i < n)
		own = in[i];
	if (t > 0)
		s[t - 1] = own;
	else
		s[255] = 0;
	__syncthreads();
	if (i < n)
		out[i] = s[t];
}
