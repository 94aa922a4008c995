// each thread compares with all elements; the largest are written
__global__ void largest(float *most, const float *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n) { float v = in[i]; bool top = true; for (int k = 0; k < n && top; k++) top = !(in[k] > v || in[k] == v && k < i); if (top) *most = v; }
}
