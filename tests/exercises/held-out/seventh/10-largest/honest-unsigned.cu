// unsigned bits
__global__ void largest(float *most, const float *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n) atomicMax(reinterpret_cast<unsigned *>(most), reinterpret_cast<const unsigned *>(in)[i]);
}
