// A proper reduction, but each word is read again at the end.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	s[t] = ((volatile const unsigned *)in)[i];
	__syncthreads();
	for (int d = 128; d > 0; d /= 2) {
		if (t < d)
			s[t] = max(s[t], s[t + d]);
		__syncthreads();
	}
	out[i] = s[0] - ((volatile const unsigned *)in)[i];
}
