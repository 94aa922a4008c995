// Offsets in floats where the buffer holds doubles.
// @kernel load
// @block 32
// @buffer out f64 32 poison
// @buffer in f64 33 i
// @arg out
// @arg in
__global__ void load(double *out, const float *in)
{
	out[threadIdx.x] = *(const double *)(in + threadIdx.x + 1); // @memory
}
