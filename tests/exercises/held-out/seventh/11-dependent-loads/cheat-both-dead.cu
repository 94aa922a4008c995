// the loads are still there, for a comparison
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n) { int j = (i + 194) % n; out[i] = starts[starts[i]] == j ? in[j] : 0; }
}
