__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	float a = in[first], b = in[first + 1], c = in[first + 2], d = in[first + 3];
	float e = in[first + 4], g = in[first + 5], h = in[first + 6], i = in[first + 7];
	const float r[8] = {i, h, g, e, d, c, b, a};
	for (int k = 0; k < 8; k++)
		out[first + k] = 2 * r[k];
}
