// === cheat-one-lane-of-four
// A quarter of the threads use 16-byte loads, four each.
__global__ void scale(float *out, const float *in)
{
	if (threadIdx.x < 64)
		for (int k = 0; k < 4; k++) {
			int q = blockIdx.x * 256 + k * 64 + threadIdx.x;
			float4 v = ((const float4 *)in)[q];
			((float4 *)out)[q] = make_float4(v.x / 2, v.y / 2, v.z / 2, v.w / 2);
		}
}

// === honest-aligned-struct
// An aligned structure of four floats: the compiler loads it at once.
struct __align__(16) Four {
	float v[4];
};
__global__ void scale(float *out, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Four x = ((const Four *)in)[i];
#pragma unroll
	for (int k = 0; k < 4; k++)
		x.v[k] *= 0.5f;
	((Four *)out)[i] = x;
}

// === honest-block-pointers
// Vectors of the block, indexed by the thread.
__global__ void scale(float *out, const float *in)
{
	const float4 *from = (const float4 *)(in + 1024 * blockIdx.x);
	float4 *to = (float4 *)(out + 1024 * blockIdx.x);
	float4 v = from[threadIdx.x], w;
	w.x = v.x * 0.5f, w.y = v.y * 0.5f, w.z = v.z * 0.5f, w.w = v.w * 0.5f;
	to[threadIdx.x] = w;
}

// === honest-read-only
// Read-only load of a float4.
__global__ void scale(float *__restrict__ out, const float *__restrict__ in)
{
	const unsigned i = blockIdx.x * 256 + threadIdx.x;
	const float4 x = __ldg(reinterpret_cast<const float4 *>(in) + i);
	reinterpret_cast<float4 *>(out)[i] = make_float4(x.x / 2, x.y / 2, x.z / 2, x.w / 2);
}
