// @kernel sort
// @block 32
// @buffer out i32 32 poison
// @buffer in i32 256 i * 37 % 101
// @arg out
// @arg in
// @reference third_smallest
__global__ void sort(int *out, const int *in)
{
	int a[8];
	for (int k = 0; k < 8; k++)
		a[k] = in[threadIdx.x * 8 + k];
#pragma unroll 1
	for (int i = 1; i < 8; i++)
#pragma unroll 1
		for (int k = i; k > 0 && a[k] < a[k - 1]; k--) {
			int swap = a[k];
			a[k] = a[k - 1];
			a[k - 1] = swap;
		}
	out[threadIdx.x] = a[2];
}
