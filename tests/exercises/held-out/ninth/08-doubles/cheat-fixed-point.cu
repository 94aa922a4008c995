// cheat: no double, but no float arithmetic either: 64-bit integers in fixed point
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		const long long one = 1ll << 26;
		long long x = llrintf(in[i] * one);
		long long sum = 20065550ll * x + 39392903ll * (one - x) + 7650411ll * (x * x >> 26);
		out[i] = (float)(sum >> 20) * (1.0f / (1ll << 32));
	}
}
