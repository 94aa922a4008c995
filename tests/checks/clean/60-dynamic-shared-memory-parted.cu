// One extern array, two tables in it.
// @kernel both
// @block 64
// @shared 768
// @buffer out f32 64 poison
// @arg out
// @expect out (63 - i) + (i ^ 1) * 0.5
__global__ void both(float *out)
{
	extern __shared__ char memory[];
	float *first = (float *)memory;
	double *second = (double *)(memory + 256);
	int t = threadIdx.x;
	first[t] = t;
	second[t] = t * 0.5;
	__syncthreads();
	out[t] = first[63 - t] + (float)second[t ^ 1];
}
