// 32-bit fixed point with a high product
__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	unsigned x = __float2uint_rz(in[i] * 4294967040.0f);
	unsigned r = __umulhi(x, 1284195222u) + __umulhi(~x, 2521145802u) + __umulhi(__umulhi(x, x), 489626272u);
	out[i] = r * 0x1p-32f;
}
