// A scaled sum of two vectors in double precision, each thread a pair.
__global__ void doubles(double2 *z, const double2 *x, const double2 *y, double a) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double2 p = x[i], q = y[i];
	z[i] = make_double2(a * p.x + q.x, a * p.y + q.y);
}
