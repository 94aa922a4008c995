// the mean of the four centers
__global__ void downsample(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
const float first = 0.5f, last = 1.5f; auto middle = [=](int k) { return 2 * k + (first + last) / 2; }; float v; tex2D(&v, image, middle(x), middle(y)); out[y * n + x] = v;
}
