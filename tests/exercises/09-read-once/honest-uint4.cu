// 64 threads read 16 bytes each, and write as many.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[2];
	int t = threadIdx.x;
	uint4 w = {};
	if (t < 64) {
		w = ((const uint4 *)in)[blockIdx.x * 64 + t];
		unsigned most = max(max(w.x, w.y), max(w.z, w.w));
		for (int m = 16; m > 0; m /= 2)
			most = max(most, __shfl_xor_sync(~0u, most, m));
		if (t % 32 == 0)
			s[t / 32] = most;
	}
	__syncthreads();
	if (t < 64) {
		unsigned most = max(s[0], s[1]);
		((uint4 *)out)[blockIdx.x * 64 + t] = make_uint4(most - w.x, most - w.y, most - w.z, most - w.w);
	}
}
