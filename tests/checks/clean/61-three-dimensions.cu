// @kernel laplace
// @grid 2 2 2
// @block 4 4 4
// @buffer out i32 512 poison
// @buffer in i32 512 i % 8 + i / 8 % 8 + i / 64
// @arg out
// @arg in
// @reference laplace
__global__ void laplace(int *out, const int *in)
{
	int x = blockIdx.x * 4 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 4 + threadIdx.z;
	int i = (z * 8 + y) * 8 + x, sum = -6 * in[i];
	sum += in[x > 0 ? i - 1 : i] + in[x < 7 ? i + 1 : i];
	sum += in[y > 0 ? i - 8 : i] + in[y < 7 ? i + 8 : i];
	sum += in[z > 0 ? i - 64 : i] + in[z < 7 ? i + 64 : i];
	out[i] = sum;
}
