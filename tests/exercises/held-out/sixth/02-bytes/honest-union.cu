union Four { uchar4 v; unsigned char b[4]; __device__ Four() {} };
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Four f;
	f.v = reinterpret_cast<const uchar4 *>(in)[i];
#pragma unroll
	for (int k = 0; k < 4; k++)
		f.b[k] = 255 - f.b[k];
	reinterpret_cast<uchar4 *>(out)[i] = f.v;
}
