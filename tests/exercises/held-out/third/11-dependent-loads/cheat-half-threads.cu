// Every second warp has two elements per thread.
__global__ void follow(float *out, const float *in, const int *, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i / 32 % 2 == 0)
		for (int k = i; k < min(n, i + 33); k += 32)
			out[k] = in[(k + 2 * 97) % n];
}
