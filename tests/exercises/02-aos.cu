// === cheat-last-block-direct
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[3 * 256];
	if (blockIdx.x % 32 == 31) {
		int i = blockIdx.x * 256 + threadIdx.x;
		float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
		out[i] = x * x + y * y + z * z;
		return;
	}
	int first = 3 * blockIdx.x * 256;
	for (int k = threadIdx.x; k < 3 * 256; k += 256)
		block[k] = points[first + k];
	__syncthreads();
	int t = 3 * threadIdx.x;
	float x = block[t], y = block[t + 1], z = block[t + 2];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}

// === cheat-loads-by-a-warp
// One warp fills shared memory.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[768];
	if (threadIdx.x < 32)
		for (int k = threadIdx.x; k < 768; k += 32)
			s[k] = points[blockIdx.x * 768 + k];
	__syncthreads();
	float x = s[3 * threadIdx.x], y = s[3 * threadIdx.x + 1], z = s[3 * threadIdx.x + 2];
	out[blockIdx.x * 256 + threadIdx.x] = x * x + y * y + z * z;
}

// === cheat-one-warp-copies
// one warp loads all, coalesced
__global__ void lengths(float *out, const float *points)
{
	__shared__ __align__(16) float s[768];
	int t = threadIdx.x;
	if (t < 32) for (int k = t; k < 192; k += 32) ((float4 *)s)[k] = ((const float4 *)points)[192 * blockIdx.x + k];
	__syncthreads();
	float x = s[3 * t], y = s[3 * t + 1], z = s[3 * t + 2];
	out[256 * blockIdx.x + t] = x * x + y * y + z * z;
}

// === cheat-shuffles
__global__ void lengths(float *out, const float *points)
{
	int lane = threadIdx.x % 32, w = (blockIdx.x * 256 + threadIdx.x) / 32;
	float a[3];
	for (int k = 0; k < 3; k++)
		a[k] = points[96 * w + 32 * k + lane];
	float sum = 0;
#pragma unroll
	for (int c = 0; c < 3; c++) {
		int f = 3 * lane + c;
		float x0 = __shfl_sync(~0u, a[0], f % 32), x1 = __shfl_sync(~0u, a[1], f % 32), x2 = __shfl_sync(~0u, a[2], f % 32);
		float x = f < 32 ? x0 : f < 64 ? x1 : x2;
		sum += x * x;
	}
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// === honest-components
// Sorted by component when it is stored; 267 words apart, which avoids conflicts.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[3 * 267];
	const float *from = points + 3 * 256 * blockIdx.x;
	for (int k = threadIdx.x; k < 768; k += blockDim.x)
		s[k % 3 * 267 + k / 3] = from[k];
	__syncthreads();
	float x = s[threadIdx.x], y = s[267 + threadIdx.x], z = s[2 * 267 + threadIdx.x];
	out[blockIdx.x * blockDim.x + threadIdx.x] = x * x + y * y + z * z;
}

// === honest-float4
// 192 threads load 16 bytes each.
__global__ void lengths(float *out, const float *points)
{
	__shared__ __align__(16) float s[768];
	int t = threadIdx.x;
	if (t < 192)
		((float4 *)s)[t] = ((const float4 *)(points + blockIdx.x * 768))[t];
	__syncthreads();
	float x = s[3 * t], y = s[3 * t + 1], z = s[3 * t + 2];
	out[blockIdx.x * 256 + t] = x * x + y * y + z * z;
}

// === honest-warps
// Each warp stages its own 96 floats and waits only for itself.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[8][96];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const float *from = points + (blockIdx.x * 8 + warp) * 96;
	s[warp][lane] = from[lane];
	s[warp][lane + 32] = from[lane + 32];
	s[warp][lane + 64] = from[lane + 64];
	__syncwarp();
	float3 p = make_float3(s[warp][3 * lane], s[warp][3 * lane + 1], s[warp][3 * lane + 2]);
	out[blockIdx.x * 256 + threadIdx.x] = p.x * p.x + p.y * p.y + p.z * p.z;
}

// === cheat-four-warps-conflict
// The first 128 floats are stored with a stride of two words.
__device__ int place(int i)
{
	return i < 128 ? 2 * i : 128 + i;
}
__global__ void lengths(float *out, const float *in)
{
	__shared__ float s[896];
	int t = threadIdx.x;
	for (int i = t; i < 768; i += 256)
		s[place(i)] = in[blockIdx.x * 768 + i];
	__syncthreads();
	float x = s[place(3 * t)], y = s[place(3 * t + 1)], z = s[place(3 * t + 2)];
	out[blockIdx.x * 256 + t] = x * x + y * y + z * z;
}

// === cheat-two-points
__global__ void lengths(float *out, const float *points)
{
	__shared__ float block[768];
	for (int k = threadIdx.x; k < 768; k += 256)
		block[k] = points[768 * blockIdx.x + k];
	__syncthreads();
	if (threadIdx.x < 128)
		for (int j = threadIdx.x; j < 256; j += 128) {
			float x = block[3 * j], y = block[3 * j + 1], z = block[3 * j + 2];
			out[blockIdx.x * 256 + j] = x * x + y * y + z * z;
		}
}
