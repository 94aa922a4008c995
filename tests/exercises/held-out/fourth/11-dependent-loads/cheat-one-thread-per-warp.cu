// Lane 0 of each warp does 32 elements.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x % 32 == 0)
		for (int k = i; k < min(i + 32, n); k++)
			out[k] = in[(k + 194) % n];
}
