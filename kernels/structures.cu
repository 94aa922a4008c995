// The same points in two layouts: an array of structures (AoS), and a structure
// of arrays (SoA).
struct Point {
	float x, y, z;
};

// All three components of an array of structures: neighboring threads access
// memory with a stride of 12 bytes.
__global__ void structures(float *out, const Point *points, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = points[i].x + points[i].y + points[i].z;
}

// All three components of a structure of arrays: consecutive words, three
// times.
__global__ void arrays(float *out, const float *x, const float *y,
	const float *z, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = x[i] + y[i] + z[i];
}

// Only one of the components.
__global__ void structures_one(float *out, const Point *points, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = points[i].y;
}

__global__ void arrays_one(float *out, const float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = y[i];
}

// Structures of four words, each read as a whole: one 16-byte load per
// thread.
__global__ void wide_structures(float *out, const float4 *points, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float4 p = points[i];
		out[i] = p.x + p.y + p.z;
	}
}
