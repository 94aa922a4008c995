// honest: three arrays whose starts are eleven banks apart, so that neither storing nor reading conflicts
constexpr int PITCH = 256 + 11;

__global__ void lengths(float *out, const float *points)
{
	__shared__ float part[3 * PITCH];
	for (int k = threadIdx.x; k < 768; k += blockDim.x) {
		int point = k / 3, component = k - 3 * point;
		part[component * PITCH + point] = points[blockIdx.x * 768 + k];
	}
	__syncthreads();
	float x = part[threadIdx.x], y = part[PITCH + threadIdx.x], z = part[2 * PITCH + threadIdx.x];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}
