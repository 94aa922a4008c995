// Four loads in flight, but of one word each.
__global__ void scale(float *out, const float *in)
{
	int i = blockIdx.x * 1024 + threadIdx.x;
	float a = in[i], b = in[i + 256], c = in[i + 512], d = in[i + 768];
	out[i] = 0.5f * a;
	out[i + 256] = 0.5f * b;
	out[i + 512] = 0.5f * c;
	out[i + 768] = 0.5f * d;
}
