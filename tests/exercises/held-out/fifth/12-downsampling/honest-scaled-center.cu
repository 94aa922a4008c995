// The pixel's center times two is the corner of its four texels; bounds are checked.
__global__ void downsample(float *__restrict__ out, cudaTextureObject_t image, int n)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= n || y >= n)
		return;
	const float2 center = make_float2(x + 0.5f, y + 0.5f);
	out[x + y * n] = tex2D<float>(image, 2.0f * center.x, 2.0f * center.y);
}
