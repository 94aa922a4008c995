// a gather of the four texels and their mean: not the filter
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
float4 t = tex2Dgather<float4>(image, 2 * x + 1.0f, 2 * y + 1.0f); out[y * n + x] = (t.x + t.y + t.z + t.w) / 4;
}
