__global__ void fade(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
const auto x = in[i]; out[i] = __fmaf_rn(__fmaf_rn(float(0.114), x, float(0.299) - float(0.587)), x, float(0.587));
	}
}
