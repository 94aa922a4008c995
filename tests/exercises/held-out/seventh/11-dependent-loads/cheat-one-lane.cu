// one lane of a warp for 32 elements
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i % 32 == 0) for (int k = i; k < min(n, i + 32); k++) out[k] = in[(k + 194) % n];
}
