// One vector type as a parameter, one load and one store per thread.
template <typename Vector> __device__ void scaled(float *out, const float *in, int i, float factor)
{
	Vector x = reinterpret_cast<const Vector *>(in)[i];
	x.x *= factor;
	x.y *= factor;
	x.z *= factor;
	x.w *= factor;
	reinterpret_cast<Vector *>(out)[i] = x;
}
__global__ void scale(float *out, const float *in)
{
	scaled<float4>(out, in, blockIdx.x * blockDim.x + threadIdx.x, 0.5f);
}
