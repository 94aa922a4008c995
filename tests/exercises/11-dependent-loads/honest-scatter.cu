// Each thread loads its own element and stores it where it belongs.
__global__ void follow(float *out, const float *in, const int *, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i >= 194 ? i - 194 : i + n - 194] = in[i];
}
