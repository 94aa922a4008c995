// Task: the negative of a picture. Every thread takes four bytes, one at a
// time, so that a warp makes four requests of 128 bytes, of which each uses a
// quarter. Make it one.
//
// As many threads as there are bytes divided by four.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int byte = 0; byte < 4; byte++)
		out[4 * i + byte] = 255 - in[4 * i + byte];
}
