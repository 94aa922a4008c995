// Each block waits for the sum of those before it (decoupled look-back in its simplest form).
// @kernel scan
// @grid 8
// @block 64
// @buffer out i32 512 poison
// @buffer in i32 512 i % 5
// @buffer sums i32 8 poison
// @buffer ready i32 8 0
// @arg out
// @arg in
// @arg sums
// @arg ready
// @reference look_back
__global__ void scan(int *out, const int *in, int *sums, int *ready)
{
	__shared__ int s[64];
	__shared__ int before;
	int t = threadIdx.x, b = blockIdx.x;
	s[t] = in[b * 64 + t];
	__syncthreads();
	for (int d = 1; d < 64; d *= 2) {
		int v = t >= d ? s[t - d] : 0;
		__syncthreads();
		s[t] += v;
		__syncthreads();
	}
	if (t == 0) {
		int sum = 0;
		if (b > 0) {
			while (atomicAdd(&ready[b - 1], 0) == 0) {
			}
			__threadfence();
			sum = sums[b - 1];
		}
		before = sum;
		sums[b] = sum + s[63];
		__threadfence();
		atomicExch(&ready[b], 1);
	}
	__syncthreads();
	out[b * 64 + t] = before + s[t];
}
