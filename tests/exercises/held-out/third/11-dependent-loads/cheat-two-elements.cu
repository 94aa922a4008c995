// The element is loaded, and starts[] beside it.
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[(i + 2 * 97) % n] + 0 * ((const volatile int *)starts)[i];
}
