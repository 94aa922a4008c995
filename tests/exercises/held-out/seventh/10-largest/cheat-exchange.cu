// exchanges until nothing smaller comes back
__global__ void largest(float *most, const float *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n) { float v = in[i]; while (v > 0) { float o = atomicExch(most, v); if (o <= v) break; v = o; } }
}
