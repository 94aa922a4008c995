// one of the two loads is computed
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n) out[i] = in[starts[(i + 97) % n]];
}
