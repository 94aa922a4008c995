// The index is computed with two conditional subtractions instead of a remainder; n is larger than 97.
__global__ void follow(float *__restrict__ out, const float *__restrict__ in, const int *, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int from = i + 97;
	if (from >= n)
		from -= n;
	from += 97;
	if (from >= n)
		from -= n;
	out[i] = in[from];
}
