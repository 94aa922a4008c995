// even lanes fetch for their neighbor too
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
if (x % 2 == 0)
#pragma unroll 1
for (int k = x; k < x + 2; k++) out[y * n + k] = tex2D<float>(image, 2 * k + 1, 2 * y + 1);
}
