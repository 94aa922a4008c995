// === honest-not
// 255 - b is the bitwise complement of b: four bytes in one operation.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	((unsigned *)out)[i] = ~((const unsigned *)in)[i];
}

// === honest-shifts
// One word, its bytes taken apart by shifts.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned w = reinterpret_cast<const unsigned *>(in)[i], r = 0;
	for (int k = 0; k < 32; k += 8)
		r |= (255 - (w >> k & 255)) << k;
	reinterpret_cast<unsigned *>(out)[i] = r;
}

// === honest-uint4
// 16 bytes per access, a quarter of the threads.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	if (threadIdx.x >= blockDim.x / 4)
		return;
	int i = blockIdx.x * (blockDim.x / 4) + threadIdx.x;
	uint4 w = ((const uint4 *)in)[i];
	((uint4 *)out)[i] = make_uint4(~w.x, ~w.y, ~w.z, ~w.w);
}

// === cheat-two-bytes-twice
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned short *from = (const unsigned short *)in;
	unsigned short *to = (unsigned short *)out;
	unsigned short a = from[2 * i], b = from[2 * i + 1];
	to[2 * i] = ~a;
	to[2 * i + 1] = ~b;
}

// === cheat-every-second-lane
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i % 2) return;
	uint2 v = ((const uint2 *)in)[i / 2];
	((uint2 *)out)[i / 2] = make_uint2(~v.x, ~v.y);
}
