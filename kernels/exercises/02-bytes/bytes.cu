// Task: the negative of an image. Every thread handles four bytes, one at a
// time, so that a warp makes four load requests for the same 128 bytes, and
// four store requests. Use at most one load and one store per thread, of four
// bytes or more.
//
// The grid has a quarter as many threads as there are bytes.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int byte = 0; byte < 4; byte++)
		out[4 * i + byte] = 255 - in[4 * i + byte];
}
