// cheat: each term is cast to float, after it has been computed in double precision
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i];
		out[i] = (float)(0.299 * x) + (float)(0.587 * (1.0 - x)) + (float)(0.114 * x * x);
	}
}
