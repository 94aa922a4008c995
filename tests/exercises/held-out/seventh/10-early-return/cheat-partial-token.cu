// whole blocks with shared memory, the partial block from global memory
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ int s[256]; if ((blockIdx.x + 1) * 256 > n) { if (i < n) out[i] = tid < 255 && i + 1 < n ? in[i + 1] : 0; return; } s[tid] = in[i]; __syncthreads(); out[i] = tid < 255 && i + 1 < n ? s[tid + 1] : 0;
}
