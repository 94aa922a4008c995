// two independent loads: starts to check
__global__ void follow(float *out, const float *in, const int *starts, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n) { int j = (i + 194) % n; float v = in[j]; if (((const volatile int *)starts)[i] < 0) v = 0; out[i] = v; }
}
