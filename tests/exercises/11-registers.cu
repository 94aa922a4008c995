// === cheat-shared
// The array in shared memory.
__global__ void reversed(float *out, const float *in)
{
	__shared__ float x[8][256];
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		x[i][threadIdx.x] = 2 * in[first + i];
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		out[first + i] = x[7 - i][threadIdx.x];
}

// === cheat-coalesced
// Threads take consecutive elements; the place differs in three bits.
__global__ void reversed(float *out, const float *in)
{
	int first = blockIdx.x * 8 * blockDim.x;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		int i = first + k * blockDim.x + threadIdx.x;
		out[i ^ 7] = 2 * in[i];
	}
}

// === honest-float4
// Two vectors, reversed by hand.
__global__ void reversed(float *out, const float *in)
{
	int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
	float4 a = ((const float4 *)in)[i], b = ((const float4 *)in)[i + 1];
	((float4 *)out)[i] = make_float4(2 * b.w, 2 * b.z, 2 * b.y, 2 * b.x);
	((float4 *)out)[i + 1] = make_float4(2 * a.w, 2 * a.z, 2 * a.y, 2 * a.x);
}

// === cheat-no-array
// Each element goes straight to its place.
__global__ void reversed(float *out, const float *in)
{
	int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
	for (int i = 0; i < 8; i++)
		out[first + 7 - i] = 2 * in[first + i];
}

// === cheat-loads-for-others
// Loads are coalesced, and stores reverse the elements of other threads.
__global__ void reversed(float *out, const float *in)
{
	int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float x[8];
#pragma unroll
	for (int i = 0; i < 8; i++) x[i] = 2 * in[256 * warp + 32 * i + lane];
#pragma unroll
	for (int i = 0; i < 8; i++) out[256 * warp + 32 * i + (lane ^ 7)] = x[i];
}
