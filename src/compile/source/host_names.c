/* host_names.h: tables. */
#include "compile/source/host_names.h"

#include <string.h>

typedef struct {
	const char *name, *text;
} Entry;

/* As CUDA's own headers have them under NVRTC: 64 bits are long long. */
static const Entry names[] = {
	{"uint", "typedef unsigned int uint;"},
	{"ushort", "typedef unsigned short ushort;"},
	{"ulong", "typedef unsigned long ulong;"},
	{"u_char", "typedef unsigned char u_char;"},
	{"u_int", "typedef unsigned int u_int;"},
	{"int8_t", "typedef signed char int8_t;"},
	{"int16_t", "typedef short int16_t;"},
	{"int32_t", "typedef int int32_t;"},
	{"int64_t", "typedef signed long long int64_t;"},
	{"uint8_t", "typedef unsigned char uint8_t;"},
	{"uint16_t", "typedef unsigned short uint16_t;"},
	{"uint32_t", "typedef unsigned int uint32_t;"},
	{"uint64_t", "typedef unsigned long long uint64_t;"},
	{"intptr_t", "typedef signed long long intptr_t;"},
	{"uintptr_t", "typedef unsigned long long uintptr_t;"},
	{"ssize_t", "typedef long ssize_t;"},
	{"time_t", "typedef long time_t;"},
	{"INFINITY", "#define INFINITY (1.0f / 0.0f)"},
	{"NAN", "#define NAN __int_as_float(0x7fffffff)"},
	{"HUGE_VAL", "#define HUGE_VAL (1.0 / 0.0)"},
	{"HUGE_VALF", "#define HUGE_VALF (1.0f / 0.0f)"},
	{"M_E", "#define M_E 2.7182818284590452354"},
	{"M_LOG2E", "#define M_LOG2E 1.4426950408889634074"},
	{"M_LOG10E", "#define M_LOG10E 0.43429448190325182765"},
	{"M_LN2", "#define M_LN2 0.69314718055994530942"},
	{"M_LN10", "#define M_LN10 2.30258509299404568402"},
	{"M_PI", "#define M_PI 3.14159265358979323846"},
	{"M_PI_2", "#define M_PI_2 1.57079632679489661923"},
	{"M_PI_4", "#define M_PI_4 0.78539816339744830962"},
	{"M_1_PI", "#define M_1_PI 0.31830988618379067154"},
	{"M_2_PI", "#define M_2_PI 0.63661977236758134308"},
	{"M_2_SQRTPI", "#define M_2_SQRTPI 1.12837916709551257390"},
	{"M_SQRT2", "#define M_SQRT2 1.41421356237309504880"},
	{"M_SQRT1_2", "#define M_SQRT1_2 0.70710678118654752440"},
	{"CHAR_BIT", "#define CHAR_BIT 8"},
	{"SCHAR_MAX", "#define SCHAR_MAX 127"},
	{"SCHAR_MIN", "#define SCHAR_MIN (-128)"},
	{"CHAR_MAX", "#define CHAR_MAX 127"},
	{"CHAR_MIN", "#define CHAR_MIN (-128)"},
	{"UCHAR_MAX", "#define UCHAR_MAX 255"},
	{"SHRT_MAX", "#define SHRT_MAX 32767"},
	{"SHRT_MIN", "#define SHRT_MIN (-32768)"},
	{"USHRT_MAX", "#define USHRT_MAX 65535"},
	{"INT_MAX", "#define INT_MAX 2147483647"},
	{"INT_MIN", "#define INT_MIN (-2147483647 - 1)"},
	{"UINT_MAX", "#define UINT_MAX 4294967295U"},
	{"LONG_MAX", "#define LONG_MAX 9223372036854775807L"},
	{"LONG_MIN", "#define LONG_MIN (-9223372036854775807L - 1)"},
	{"ULONG_MAX", "#define ULONG_MAX 18446744073709551615UL"},
	{"LLONG_MAX", "#define LLONG_MAX 9223372036854775807LL"},
	{"LLONG_MIN", "#define LLONG_MIN (-9223372036854775807LL - 1)"},
	{"ULLONG_MAX", "#define ULLONG_MAX 18446744073709551615ULL"},
	{"INT8_MAX", "#define INT8_MAX 127"},
	{"INT16_MAX", "#define INT16_MAX 32767"},
	{"INT32_MAX", "#define INT32_MAX 2147483647"},
	{"INT32_MIN", "#define INT32_MIN (-2147483647 - 1)"},
	{"INT64_MAX", "#define INT64_MAX 9223372036854775807LL"},
	{"INT64_MIN", "#define INT64_MIN (-9223372036854775807LL - 1)"},
	{"UINT8_MAX", "#define UINT8_MAX 255"},
	{"UINT16_MAX", "#define UINT16_MAX 65535"},
	{"UINT32_MAX", "#define UINT32_MAX 4294967295U"},
	{"UINT64_MAX", "#define UINT64_MAX 18446744073709551615ULL"},
	{"SIZE_MAX", "#define SIZE_MAX 18446744073709551615UL"},
	{"MAXFLOAT", "#define MAXFLOAT 3.40282347e+38F"},
	{"RAND_MAX", "#define RAND_MAX 2147483647"},
	{"FLT_MAX", "#define FLT_MAX 3.402823466e+38F"},
	{"FLT_MIN", "#define FLT_MIN 1.175494351e-38F"},
	{"FLT_EPSILON", "#define FLT_EPSILON 1.192092896e-07F"},
	{"FLT_DIG", "#define FLT_DIG 6"},
	{"FLT_MANT_DIG", "#define FLT_MANT_DIG 24"},
	{"DBL_MAX", "#define DBL_MAX 1.7976931348623157e+308"},
	{"DBL_MIN", "#define DBL_MIN 2.2250738585072014e-308"},
	{"DBL_EPSILON", "#define DBL_EPSILON 2.2204460492503131e-16"},
	{"DBL_DIG", "#define DBL_DIG 15"},
	{"DBL_MANT_DIG", "#define DBL_MANT_DIG 53"},
	{"CUdeviceptr", "typedef unsigned long long CUdeviceptr;"},
	{"CUtexObject", "typedef unsigned long long CUtexObject;"},
	{"CUsurfObject", "typedef unsigned long long CUsurfObject;"},
	{"offsetof", "#define offsetof(type, member) __builtin_offsetof(type, member)"},
};

static const Entry std_names[] = {
	{"numeric_limits", "cuda/std/limits"},
	{"array", "cuda/std/array"},
	{"tuple", "cuda/std/tuple"},
	{"make_tuple", "cuda/std/tuple"},
	{"tie", "cuda/std/tuple"},
	{"complex", "cuda/std/complex"},
	{"plus", "cuda/std/functional"},
	{"minus", "cuda/std/functional"},
	{"multiplies", "cuda/std/functional"},
	{"less", "cuda/std/functional"},
	{"greater", "cuda/std/functional"},
	{"clamp", "cuda/std/__algorithm/clamp.h"},
	{"pair", "cuda/std/utility"},
	{"make_pair", "cuda/std/utility"},
	{"swap", "cuda/std/utility"},
	{"integer_sequence", "cuda/std/utility"},
	{"index_sequence", "cuda/std/utility"},
	{"make_index_sequence", "cuda/std/utility"},
	{"declval", "cuda/std/utility"},
	{"initializer_list", "cuda/std/initializer_list"},
	{"byte", "cuda/std/cstddef"},
	{"size_t", "cuda/std/cstddef"},
	{"ptrdiff_t", "cuda/std/cstddef"},
	{"nullptr_t", "cuda/std/cstddef"},
	{"span", "cuda/std/span"},
	{"optional", "cuda/std/optional"},
	{"atomic", "cuda/std/atomic"},
	{"bit_cast", "cuda/std/bit"},
	{"ratio", "cuda/std/ratio"},
	{"chrono", "cuda/std/chrono"},
};

static const char *const cmath_names[] = {
	"abs",     "fabs",  "sqrt",  "cbrt",  "exp",       "exp2",  "expm1", "log",    "log2",      "log10",
	"log1p",   "pow",   "sin",   "cos",   "tan",       "asin",  "acos",  "atan",   "atan2",     "sinh",
	"cosh",    "tanh",  "floor", "ceil",  "round",     "trunc", "rint",  "fmod",   "fmax",      "fmin",
	"fma",     "hypot", "isnan", "isinf", "isfinite",  "erf",   "erfc",  "lround", "nearbyint", "copysign",
	"signbit", "ldexp", "frexp", "modf",  "remainder", NULL};

static const char *const cstdint_names[] = {"int8_t",   "int16_t",  "int32_t",  "int64_t",   "uint8_t",
											"uint16_t", "uint32_t", "uint64_t", "uintptr_t", NULL};

static bool equal(const char *known, const char *name, size_t len) {
	return strlen(known) == len && memcmp(known, name, len) == 0;
}

static bool listed(const char *const *list, const char *name, size_t len) {
	for (; *list; list++)
		if (equal(*list, name, len)) return true;
	return false;
}

const char *host_name(const char *name, size_t len) {
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (equal(names[i].name, name, len)) return names[i].text;
	return NULL;
}

/* Traits are the many others. */
static bool trait(const char *name, size_t len) {
	static const char *const others[] = {"conditional",
										 "conditional_t",
										 "enable_if",
										 "enable_if_t",
										 "integral_constant",
										 "bool_constant",
										 "true_type",
										 "false_type",
										 "decay",
										 "decay_t",
										 "common_type",
										 "common_type_t",
										 "underlying_type",
										 "void_t",
										 "invoke_result_t",
										 "conjunction",
										 "disjunction",
										 "negation",
										 "alignment_of",
										 "extent",
										 "rank",
										 NULL};
	return (len > 3 && memcmp(name, "is_", 3) == 0) || (len > 7 && memcmp(name, "remove_", 7) == 0) ||
		   (len > 4 && memcmp(name, "add_", 4) == 0) ||
		   (len > 5 && memcmp(name, "make_", 5) == 0 && name[len - 1] == 'd') || listed(others, name, len);
}

const char *host_toolkit_name(const char *name, size_t len) {
	static const Entry known[] = {
		{"__nv_bfloat16", "#include <cuda_bf16.h>"},  {"__nv_bfloat162", "#include <cuda_bf16.h>"},
		{"nv_bfloat16", "#include <cuda_bf16.h>"},    {"__half", "#include <cuda_fp16.h>"},
		{"__half2", "#include <cuda_fp16.h>"},        {"half", "#include <cuda_fp16.h>"},
		{"half2", "#include <cuda_fp16.h>"},          {"cuComplex", "#include <cuComplex.h>"},
		{"cuFloatComplex", "#include <cuComplex.h>"}, {"cuDoubleComplex", "#include <cuComplex.h>"}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (equal(known[i].name, name, len)) return known[i].text;
	return NULL;
}

const char *host_std_name(const char *name, size_t len, Str *room) {
	if (equal("min", name, len) || equal("max", name, len)) {
		str_addf(
			room,
			"namespace std { template <class T> __host__ __device__ constexpr const T &%.3s(const T &a, const T &b) { "
			"return %s ? b : a; } }",
			name, *name == 'm' && name[1] == 'i' ? "b < a" : "a < b");
		return room->text;
	}
	if (!listed(cmath_names, name, len)) return NULL;
	str_addf(room, "namespace std { using ::%.*s; }", (int)len, name);
	return room->text;
}

const char *host_std_header(const char *name, size_t len) {
	for (size_t i = 0; i < sizeof std_names / sizeof *std_names; i++)
		if (equal(std_names[i].name, name, len)) return std_names[i].text;
	if (listed(cstdint_names, name, len)) return "cuda/std/cstdint";
	return trait(name, len) ? "cuda/std/type_traits" : NULL;
}

bool host_header(const char *name) {
	static const char *const headers[] = {"algorithm",
										  "any",
										  "array",
										  "atomic",
										  "bitset",
										  "cassert",
										  "ccomplex",
										  "cctype",
										  "cerrno",
										  "cfloat",
										  "charconv",
										  "chrono",
										  "cinttypes",
										  "climits",
										  "clocale",
										  "cmath",
										  "complex",
										  "condition_variable",
										  "csignal",
										  "cstdarg",
										  "cstddef",
										  "cstdint",
										  "cstdio",
										  "cstdlib",
										  "cstring",
										  "ctime",
										  "deque",
										  "exception",
										  "execution",
										  "filesystem",
										  "forward_list",
										  "fstream",
										  "functional",
										  "future",
										  "initializer_list",
										  "iomanip",
										  "ios",
										  "iosfwd",
										  "iostream",
										  "istream",
										  "iterator",
										  "limits",
										  "list",
										  "locale",
										  "map",
										  "memory",
										  "mutex",
										  "new",
										  "numeric",
										  "optional",
										  "ostream",
										  "queue",
										  "random",
										  "ratio",
										  "regex",
										  "set",
										  "span",
										  "sstream",
										  "stack",
										  "stdexcept",
										  "streambuf",
										  "string",
										  "string_view",
										  "strstream",
										  "system_error",
										  "thread",
										  "tuple",
										  "type_traits",
										  "typeindex",
										  "typeinfo",
										  "unordered_map",
										  "unordered_set",
										  "utility",
										  "valarray",
										  "variant",
										  "vector",
										  "assert.h",
										  "complex.h",
										  "ctype.h",
										  "errno.h",
										  "fenv.h",
										  "float.h",
										  "inttypes.h",
										  "limits.h",
										  "locale.h",
										  "malloc.h",
										  "math.h",
										  "memory.h",
										  "setjmp.h",
										  "signal.h",
										  "stdarg.h",
										  "stdbool.h",
										  "stddef.h",
										  "stdint.h",
										  "stdio.h",
										  "stdlib.h",
										  "string.h",
										  "strings.h",
										  "tgmath.h",
										  "time.h",
										  "wchar.h",
										  "dirent.h",
										  "dlfcn.h",
										  "fcntl.h",
										  "getopt.h",
										  "libgen.h",
										  "omp.h",
										  "pthread.h",
										  "sched.h",
										  "semaphore.h",
										  "unistd.h",
										  "values.h",
										  "windows.h",
										  "Windows.h",
										  "mpi.h",
										  "x86intrin.h",
										  "immintrin.h",
										  "emmintrin.h",
										  "xmmintrin.h",
										  "intrin.h",
										  "conio.h",
										  "process.h",
										  "winsock2.h",
										  "netdb.h",
										  "poll.h",
										  NULL};
	return listed(headers, name, strlen(name)) || text_starts(name, "sys/") || text_starts(name, "GL/") ||
		   text_starts(name, "arpa/") || text_starts(name, "netinet/") || text_starts(name, "bits/") ||
		   text_starts(name, "opencv2/") || text_starts(name, "boost/");
}

bool host_toolkit_header(const char *name) {
	static const char *const headers[] = {"cuda.h",
										  "cuda_profiler_api.h",
										  "cudaProfiler.h",
										  "nvrtc.h",
										  "nvml.h",
										  "cupti.h",
										  "cublas_v2.h",
										  "cublas.h",
										  "cublasLt.h",
										  "cublasXt.h",
										  "cufft.h",
										  "cufftXt.h",
										  "curand.h",
										  "cusparse.h",
										  "cusparse_v2.h",
										  "cusolverDn.h",
										  "cusolverSp.h",
										  "cusolver_common.h",
										  "cudnn.h",
										  "nccl.h",
										  "nvToolsExt.h",
										  "cuda_gl_interop.h",
										  "nvJitLink.h",
										  "cudaTypedefs.h",
										  "cudaEGL.h",
										  "cuda_egl_interop.h",
										  "cudaGL.h",
										  "cudaVDPAU.h",
										  "cuda_vdpau_interop.h",
										  "cufile.h",
										  NULL};
	return listed(headers, name, strlen(name)) || text_starts(name, "nvtx3/") || text_starts(name, "cub/device/") ||
		   strcmp(name, "cub/cub.cuh") == 0;
}

const char *host_cub_header(const char *name, size_t len) {
	static const Entry headers[] = {{"BlockAdjacentDifference", "cub/block/block_adjacent_difference.cuh"},
									{"BlockDiscontinuity", "cub/block/block_discontinuity.cuh"},
									{"BlockExchange", "cub/block/block_exchange.cuh"},
									{"BlockHistogram", "cub/block/block_histogram.cuh"},
									{"BlockLoad", "cub/block/block_load.cuh"},
									{"BlockMergeSort", "cub/block/block_merge_sort.cuh"},
									{"BlockRadixSort", "cub/block/block_radix_sort.cuh"},
									{"BlockReduce", "cub/block/block_reduce.cuh"},
									{"BlockRunLengthDecode", "cub/block/block_run_length_decode.cuh"},
									{"BlockScan", "cub/block/block_scan.cuh"},
									{"BlockShuffle", "cub/block/block_shuffle.cuh"},
									{"BlockStore", "cub/block/block_store.cuh"},
									{"WarpExchange", "cub/warp/warp_exchange.cuh"},
									{"WarpLoad", "cub/warp/warp_load.cuh"},
									{"WarpMergeSort", "cub/warp/warp_merge_sort.cuh"},
									{"WarpReduce", "cub/warp/warp_reduce.cuh"},
									{"WarpScan", "cub/warp/warp_scan.cuh"},
									{"WarpStore", "cub/warp/warp_store.cuh"}};
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
		if (equal(headers[i].name, name, len)) return headers[i].text;
	return NULL;
}
