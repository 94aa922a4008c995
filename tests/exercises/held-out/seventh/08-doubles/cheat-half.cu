// half precision and table-like integers: thousandths in int
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) { float x = in[i]; long long a = __float2ll_rn(x * 1e9f); out[i] = __ll2float_rn((299 * a + 587 * (1000000000LL - a)) + 114 * (a * (a / 1000) / 1000000)) * 1e-12f; }
}
