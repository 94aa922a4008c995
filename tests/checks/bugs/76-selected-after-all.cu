// The compiler loads ahead of each condition, and the condition takes what was not written.
// @kernel choose
// @block 128
// @buffer out i32 512 0
// @buffer in i32 128 1
// @arg out
// @arg in
__global__ void choose(int *out, const int *in)
{
	__shared__ int s[128], edge[128], sum[128], back[128], copy[128];
	int t = threadIdx.x;
	if (t < 64) s[t] = edge[t] = sum[t] = back[t] = 5;
	__syncthreads();
	int v = s[t]; // @init
	out[t] = in[t] == 1 ? v : 7;
	int e = edge[t]; // @init
	out[128 + t] = t <= 64 ? e : 7;
	int a = sum[t]; // @init
	atomicAdd(&out[256], in[t] == 1 ? a : 0);
	int b = back[t]; // @init
	if (in[t] != 1) b = 0;
	copy[t] = b;
	__syncthreads();
	out[384 + t] = copy[t ^ 1];
}
