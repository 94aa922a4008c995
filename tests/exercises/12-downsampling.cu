// === cheat-gather-dot
// a gather and a dot product
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float4 t = tex2Dgather<float4>(image, 2 * x + 1, 2 * y + 1, 0);
	out[n * y + x] = 0.25f * t.x + 0.25f * t.y + 0.25f * t.z + 0.25f * t.w;
}

// === honest-centers
// From the center of the pixel, scaled to texels.
__device__ float at(cudaTextureObject_t image, float x, float y)
{
	return tex2D<float>(image, 2 * (x + 0.5f), 2 * (y + 0.5f));
}
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	out[y * n + x] = at(image, x, y);
}

// === honest-floats
// The coordinates are computed as floats.
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float u = fmaf(2.0f, x, 1.0f), v = fmaf(2.0f, y, 1.0f);
	if (x < n && y < n)
		out[y * n + x] = tex2D<float>(image, u, v);
}

// === honest-stride
// A grid-stride loop over the pixels.
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < n; y += gridDim.y * blockDim.y)
		for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < n; x += gridDim.x * blockDim.x)
			out[y * n + x] = tex2D<float>(image, 2 * x + 1, 2 * y + 1);
}
