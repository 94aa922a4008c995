// a flag; return after the barrier
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ int s[256]; const bool mine = i < n; if (mine) s[tid] = in[i]; __syncthreads(); if (!mine) return; int r = 0; if (tid != 255 && i != n - 1) r = s[tid + 1]; out[i] = r;
}
