// two loads of four words per thread: sixteen sectors per request
__global__ void eights(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
const uint4 *p = (const uint4 *)in + 2 * i; uint4 a = p[0], b = p[1]; out[i] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
}
