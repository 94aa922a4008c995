// one warp loads and stores for the block
__global__ void shifted(int *out, const int *in, int n)
{
	__shared__ int s[256];
	int tid = threadIdx.x, b = blockIdx.x * 256;
	if (tid < 32) for (int k = tid; k < 256; k += 32) s[k] = b + k < n ? in[b + k] : 0;
	__syncthreads();
	int i = b + tid;
	if (i < n) out[i] = tid + 1 < 256 && i + 1 < n ? s[tid + 1] : 0;
}
