// a second barrier for the threads without an element
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ int s[256]; if (i >= n) { __syncthreads(); return; } s[tid] = in[i]; __syncthreads(); out[i] = tid + 1 < 256 && i + 1 < n ? s[tid + 1] : 0;
}
