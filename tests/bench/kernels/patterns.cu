/* Accesses of many lines: an image is rotated, where hardly any two warps read in the same pattern; a product of blocks
 * one column wide, whose loads have one pattern. */
extern "C" __global__ void rotate(float *out, const float *in, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float dx = x + 0.5f - n * 0.5f, dy = y + 0.5f - n * 0.5f;
	float u = n * 0.5f + 0.8660254f * dx - 0.5f * dy - 0.5f, v = n * 0.5f + 0.5f * dx + 0.8660254f * dy - 0.5f;
	float left = floorf(u), top = floorf(v), a = u - left, b = v - top;
	int x0 = min(max((int)left, 0), n - 1), x1 = min(max((int)left + 1, 0), n - 1);
	int y0 = min(max((int)top, 0), n - 1), y1 = min(max((int)top + 1, 0), n - 1);
	float upper = (1 - a) * in[y0 * n + x0] + a * in[y0 * n + x1];
	float lower = (1 - a) * in[y1 * n + x0] + a * in[y1 * n + x1];
	out[y * n + x] = (1 - b) * upper + b * lower;
}

extern "C" __global__ void column(float *out, const float *in, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += in[y * n + k] * in[k * n + x];
	out[y * n + x] = sum;
}
