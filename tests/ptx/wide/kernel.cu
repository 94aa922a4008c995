extern "C" __global__ void doubles(double *out, const double *in)
{
	int i = threadIdx.x;
	double x = in[i];
	out[i] = sqrt(x) * sqrt(x);
	out[32 + i] = x / 3.0;
	out[64 + i] = fma(x, x, -x);
	out[96 + i] = exp(log(x));
	out[128 + i] = floor(x / 2) + fabs(-x);
	out[160 + i] = pow(x, 3.0);
}

extern "C" __global__ void longs(long long *out, const long long *in)
{
	int i = threadIdx.x;
	long long x = in[i];
	out[i] = x * x * 1000003;
	out[32 + i] = x / (i + 1) - x % 7;
	out[64 + i] = (x << 3) ^ (x >> 5);
	out[96 + i] = __mul64hi(x, x << 20);
	out[128 + i] = __clzll(x) * 1000 + __popcll(x) * 10 + __ffsll(x);
	out[160 + i] = min(x, 5000000000ll) + max(x, -1ll);
}

extern "C" __global__ void singles(float *out, const float *in)
{
	int i = threadIdx.x;
	float x = in[i];
	out[i] = sqrtf(x);
	out[32 + i] = sinf(x) * sinf(x) + cosf(x) * cosf(x);
	out[64 + i] = expf(logf(x));
	out[96 + i] = x / 7.0f;
	out[128 + i] = rsqrtf(x) * sqrtf(x);
	out[160 + i] = __fdividef(x, 4.0f) + truncf(x * 0.3f) + __fadd_rz(x, 1e-9f) - __fadd_rd(x, 0.0f);
	out[192 + i] = powf(x, 2.5f) / (x * x * sqrtf(x));
	out[224 + i] = sinf(x * 1e6f) * sinf(x * 1e6f) + cosf(x * 1e6f) * cosf(x * 1e6f);
}
