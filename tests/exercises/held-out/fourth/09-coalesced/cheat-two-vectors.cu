// Two loads of 16 bytes, still with a stride of 32 bytes between lanes.
__global__ void eights(unsigned *out, const unsigned *in)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	uint4 a = ((const uint4 *)in)[2 * i], b = ((const uint4 *)in)[2 * i + 1];
	out[i] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
}
