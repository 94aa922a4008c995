// @kernel nothing
// @block 32
// @buffer out i32 32 poison
// @arg out
// @expect out 3
__global__ void nothing(int *out)
{
	char *p = (char *)malloc(0), *q = (char *)malloc(1), *r = (char *)malloc((size_t)1 << 40);
	const bool aligned = ((size_t)p | (size_t)q) % 16 == 0;
	out[threadIdx.x] = (p && q && p != q) + (aligned && !r) + (threadIdx.x < 32);
	free(q);
	free(p);
	free(r);
}
