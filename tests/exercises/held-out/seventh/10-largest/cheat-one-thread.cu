// one thread
__global__ void largest(float *most, const float *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i == 0) { float m = 0; for (int k = 0; k < n; k++) m = fmaxf(m, in[k]); *most = m; }
}
