// fixed point in integers
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { long long x = (long long)(in[i] * 16777216.0f), o = 1 << 24; long long r = 5016388 * x + 9848226 * (o - x) + 1912603 * (x * x >> 24); out[i] = (float)r / 16777216.0f / 16777216.0f; }
}
