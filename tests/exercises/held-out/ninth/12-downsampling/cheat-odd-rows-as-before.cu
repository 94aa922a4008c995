// cheat: one filtered fetch in even rows, four fetches in odd ones
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (y % 2 == 0) {
		out[y * n + x] = tex2D<float>(image, 2 * x + 1, 2 * y + 1);
		return;
	}
	float u = 2 * x + 0.5f, v = 2 * y + 0.5f;
	float sum = tex2D<float>(image, u, v) + tex2D<float>(image, u + 1, v)
		+ tex2D<float>(image, u, v + 1) + tex2D<float>(image, u + 1, v + 1);
	out[y * n + x] = sum / 4;
}
