// each thread loads its own and its neighbor's word
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int s[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	s[tid] = i + 1 < n ? in[i + 1] : 0;
	__syncthreads();
	if (i < n) out[i] = tid + 1 < 256 ? s[tid] + 0 * in[i] : 0;
}
