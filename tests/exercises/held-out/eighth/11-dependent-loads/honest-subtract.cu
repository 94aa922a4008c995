// honest: subtracts n instead of dividing
__global__ void follow(float *out, const float *in, const int *, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int at = i + 2 * 97;
	while (at >= n)
		at -= n;
	out[i] = in[at];
}
