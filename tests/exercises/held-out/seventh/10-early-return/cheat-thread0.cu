// thread 0 loads and stores everything
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ int s[256]; if (tid == 0) for (int k = 0; k < 256 && i + k < n; k++) s[k] = in[i + k]; __syncthreads(); if (i < n) out[i] = tid + 1 < 256 && i + 1 < n ? s[tid + 1] : 0;
}
