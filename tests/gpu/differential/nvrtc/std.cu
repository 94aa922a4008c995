// cuda::std
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/complex>
#include <cuda/std/bit>
#include <cuda/std/limits>
#include <cuda/std/cmath>
#include <cuda/std/span>
#include <cuda/std/optional>
#include <cuda/std/variant>
#include <cuda/std/chrono>
#include <cuda/std/numeric>
extern "C" __global__ void k(int *o, float *f) {
	cuda::std::array<int, 8> a{8, 7, 6, 5, 4, 3, 2, 1};
	a[threadIdx.x & 7] += o[0];
	o[1] = a[o[2] & 7] + cuda::std::popcount((unsigned)o[3]) + cuda::std::countl_zero((unsigned)o[3]) +
		   cuda::std::bit_ceil((unsigned)o[4]);
	cuda::std::complex<float> z(f[0], f[1]);
	z = z * z / (z + 1.f);
	z = cuda::std::exp(z) + cuda::std::sqrt(z) + cuda::std::pow(z, z);
	f[2] = z.real();
	f[3] = z.imag();
	cuda::std::complex<double> y(f[0], f[1]);
	y = cuda::std::log(y) * cuda::std::sin(y) + cuda::std::atanh(y);
	f[4] = abs(y);
	auto t = cuda::std::make_tuple(o[0], f[1]);
	o[5] = cuda::std::get<0>(t);
	cuda::std::optional<int> q;
	if (o[6])
		q = 3;
	o[7] = q.value_or(2);
	o[8] = 0;
	o[9] = cuda::std::accumulate(a.begin(), a.end(), 0) + cuda::std::gcd(o[3], o[4]);
	f[5] = cuda::std::lerp(f[0], f[1], f[2]) + cuda::std::hypot(f[0], f[1]);
	o[10] = cuda::std::chrono::high_resolution_clock::now().time_since_epoch().count();
	o[11] = a[3];
}
