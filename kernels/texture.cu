// Images of n × n floats, read through textures and without them. Thread (x, y) computes
// the pixel in column x of row y.

// Transposes: a column of the image becomes a row; the threads of a warp read consecutive rows.
__global__ void transpose_global(float *out, const float *__restrict__ image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	out[y * n + x] = image[x * n + y];
}

// Texel centers are at half-integer coordinates.
__global__ void transpose_texture(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	out[y * n + x] = tex2D<float>(image, y + 0.5f, x + 0.5f);
}

// Without transposition, for comparison.
__global__ void copy_texture(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	out[y * n + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}

// The source of a rotated pixel: (c, s) are cosine and sine of the angle; the center of the
// image is fixed. The result is in texture coordinates.
__device__ float2 rotated(int x, int y, int n, float c, float s)
{
	float dx = x + 0.5f - n * 0.5f, dy = y + 0.5f - n * 0.5f;
	return {n * 0.5f + c * dx - s * dy, n * 0.5f + s * dx + c * dy};
}

// The texture units interpolate the four nearest texels and clamp at the edge.
__global__ void rotate_filtered(float *out, cudaTextureObject_t image, int n, float c, float s)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float2 from = rotated(x, y, n, c, s);
	out[y * n + x] = tex2D<float>(image, from.x, from.y);
}

// The same in software: four loads, two fractions, three interpolations, four clamped indices.
__global__ void rotate_software(float *out, const float *__restrict__ image, int n, float c, float s)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float2 from = rotated(x, y, n, c, s);
	float left = floorf(from.x - 0.5f), top = floorf(from.y - 0.5f);
	float a = from.x - 0.5f - left, b = from.y - 0.5f - top;
	int x0 = min(max((int)left, 0), n - 1), x1 = min(max((int)left + 1, 0), n - 1);
	int y0 = min(max((int)top, 0), n - 1), y1 = min(max((int)top + 1, 0), n - 1);
	float upper = (1 - a) * image[y0 * n + x0] + a * image[y0 * n + x1];
	float lower = (1 - a) * image[y1 * n + x0] + a * image[y1 * n + x1];
	out[y * n + x] = (1 - b) * upper + b * lower;
}

// Normalized coordinates: the image is 1 wide and 1 high. The output shows 3 × 3 of them, with
// the image itself in the center; the address mode decides what is around it.
__global__ void nine(float *out, cudaTextureObject_t image, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float u = 3 * (x + 0.5f) / n - 1, v = 3 * (y + 0.5f) / n - 1;
	out[y * n + x] = tex2D<float>(image, u, v);
}
