// The position is computed in floats.
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	const float2 at = make_float2(fmaf(2.0f, x, 1.0f), fmaf(2.0f, y, 1.0f));
	out[x + y * n] = tex2D<float>(image, at.x, at.y);
}
