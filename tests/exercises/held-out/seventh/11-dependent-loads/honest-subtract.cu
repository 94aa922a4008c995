// a subtraction where it is needed
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i >= n) return; unsigned j = i + 2 * 97u; while (j >= n) j -= n; out[i] = in[j];
}
