/* host_names.h: tables. */
#include "compile/source/host_names.h"

#include <string.h>

typedef struct {
	const char *names, *text;
} Entry;

/* As CUDA's own headers have them under NVRTC: 64 bits are long long. */
/* clang-format off */
static const char *const names[] = {
	"typedef unsigned int uint;", "typedef unsigned short ushort;", "typedef unsigned long ulong;",
	"typedef unsigned char u_char;", "typedef unsigned int u_int;", "typedef signed char int8_t;",
	"typedef short int16_t;", "typedef int int32_t;", "typedef signed long long int64_t;",
	"typedef unsigned char uint8_t;", "typedef unsigned short uint16_t;", "typedef unsigned int uint32_t;",
	"typedef unsigned long long uint64_t;", "typedef signed long long intptr_t;",
	"typedef unsigned long long uintptr_t;", "typedef long ssize_t;", "typedef long time_t;",
	"#define INFINITY (1.0f / 0.0f)", "#define NAN __int_as_float(0x7fffffff)", "#define HUGE_VAL (1.0 / 0.0)",
	"#define HUGE_VALF (1.0f / 0.0f)", "#define M_E 2.7182818284590452354", "#define M_LOG2E 1.4426950408889634074",
	"#define M_LOG10E 0.43429448190325182765", "#define M_LN2 0.69314718055994530942",
	"#define M_LN10 2.30258509299404568402", "#define M_PI 3.14159265358979323846",
	"#define M_PI_2 1.57079632679489661923", "#define M_PI_4 0.78539816339744830962",
	"#define M_1_PI 0.31830988618379067154", "#define M_2_PI 0.63661977236758134308",
	"#define M_2_SQRTPI 1.12837916709551257390", "#define M_SQRT2 1.41421356237309504880",
	"#define M_SQRT1_2 0.70710678118654752440", "#define CHAR_BIT 8", "#define SCHAR_MAX 127",
	"#define SCHAR_MIN (-128)", "#define CHAR_MAX 127", "#define CHAR_MIN (-128)", "#define UCHAR_MAX 255",
	"#define SHRT_MAX 32767", "#define SHRT_MIN (-32768)", "#define USHRT_MAX 65535", "#define INT_MAX 2147483647",
	"#define INT_MIN (-2147483647 - 1)", "#define UINT_MAX 4294967295U", "#define LONG_MAX 9223372036854775807L",
	"#define LONG_MIN (-9223372036854775807L - 1)", "#define ULONG_MAX 18446744073709551615UL",
	"#define LLONG_MAX 9223372036854775807LL", "#define LLONG_MIN (-9223372036854775807LL - 1)",
	"#define ULLONG_MAX 18446744073709551615ULL", "#define INT8_MAX 127", "#define INT16_MAX 32767",
	"#define INT32_MAX 2147483647", "#define INT32_MIN (-2147483647 - 1)", "#define INT64_MAX 9223372036854775807LL",
	"#define INT64_MIN (-9223372036854775807LL - 1)", "#define UINT8_MAX 255", "#define UINT16_MAX 65535",
	"#define UINT32_MAX 4294967295U", "#define UINT64_MAX 18446744073709551615ULL",
	"#define SIZE_MAX 18446744073709551615UL", "#define MAXFLOAT 3.40282347e+38F", "#define RAND_MAX 2147483647",
	"#define FLT_MAX 3.402823466e+38F", "#define FLT_MIN 1.175494351e-38F", "#define FLT_EPSILON 1.192092896e-07F",
	"#define FLT_DIG 6", "#define FLT_MANT_DIG 24", "#define DBL_MAX 1.7976931348623157e+308",
	"#define DBL_MIN 2.2250738585072014e-308", "#define DBL_EPSILON 2.2204460492503131e-16", "#define DBL_DIG 15",
	"#define DBL_MANT_DIG 53", "typedef unsigned long long CUdeviceptr;", "typedef unsigned long long CUtexObject;",
	"typedef unsigned long long CUsurfObject;",
	"typedef struct CUtensorMap_st { alignas(64) unsigned long long opaque[16]; } CUtensorMap;",
	"typedef unsigned CUtensorMapDataType;", "#define CU_TENSOR_MAP_DATA_TYPE_UINT8 0",
	"#define CU_TENSOR_MAP_DATA_TYPE_UINT16 1", "#define CU_TENSOR_MAP_DATA_TYPE_UINT32 2",
	"#define CU_TENSOR_MAP_DATA_TYPE_INT32 3", "#define CU_TENSOR_MAP_DATA_TYPE_UINT64 4",
	"#define CU_TENSOR_MAP_DATA_TYPE_INT64 5", "#define CU_TENSOR_MAP_DATA_TYPE_FLOAT16 6",
	"#define CU_TENSOR_MAP_DATA_TYPE_FLOAT32 7", "#define CU_TENSOR_MAP_DATA_TYPE_FLOAT64 8",
	"#define CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 9", "#define CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ 10",
	"#define CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 11", "#define CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ 12",
	"#define CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B 13", "#define CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B 14",
	"#define CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B 15", "typedef unsigned CUtensorMapInterleave;",
	"#define CU_TENSOR_MAP_INTERLEAVE_NONE 0", "#define CU_TENSOR_MAP_INTERLEAVE_16B 1",
	"#define CU_TENSOR_MAP_INTERLEAVE_32B 2", "typedef unsigned CUtensorMapSwizzle;",
	"#define CU_TENSOR_MAP_SWIZZLE_NONE 0", "#define CU_TENSOR_MAP_SWIZZLE_32B 1",
	"#define CU_TENSOR_MAP_SWIZZLE_64B 2", "#define CU_TENSOR_MAP_SWIZZLE_128B 3",
	"#define CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B 4", "#define CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B 5",
	"#define CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B 6", "typedef unsigned CUtensorMapL2promotion;",
	"#define CU_TENSOR_MAP_L2_PROMOTION_NONE 0", "#define CU_TENSOR_MAP_L2_PROMOTION_L2_64B 1",
	"#define CU_TENSOR_MAP_L2_PROMOTION_L2_128B 2", "#define CU_TENSOR_MAP_L2_PROMOTION_L2_256B 3",
	"typedef unsigned CUtensorMapFloatOOBfill;", "#define CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE 0",
	"#define CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA 1",
	"#define offsetof(type, member) __builtin_offsetof(type, member)"
};
/* clang-format on */

static const Entry std_names[] = {
	{"numeric_limits", "cuda/std/limits"},
	{"array", "cuda/std/array"},
	{"tuple make_tuple tie", "cuda/std/tuple"},
	{"complex", "cuda/std/complex"},
	{"plus minus multiplies less greater", "cuda/std/functional"},
	{"clamp", "cuda/std/__algorithm/clamp.h"},
	{"pair make_pair swap integer_sequence index_sequence make_index_sequence declval", "cuda/std/utility"},
	{"initializer_list", "cuda/std/initializer_list"},
	{"byte size_t ptrdiff_t nullptr_t", "cuda/std/cstddef"},
	{"span", "cuda/std/span"},
	{"optional", "cuda/std/optional"},
	{"atomic", "cuda/std/atomic"},
	{"bit_cast", "cuda/std/bit"},
	{"ratio", "cuda/std/ratio"},
	{"chrono", "cuda/std/chrono"},
	{"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t", "cuda/std/cstdint"},
};

static const char cmath_names[] =
	"abs fabs sqrt cbrt exp exp2 expm1 log log2 log10 log1p pow sin cos tan asin acos atan atan2 sinh cosh tanh "
	"floor ceil round trunc rint fmod fmax fmin fma hypot isnan isinf isfinite erf erfc lround nearbyint copysign "
	"signbit ldexp frexp modf remainder";

static bool equal(const char *known, const char *name, size_t len) {
	return strlen(known) == len && memcmp(known, name, len) == 0;
}

/* "#define NAME ...", "typedef ... NAME;" */
static bool declares(const char *text, const char *name, size_t len) {
	const char *at = text_starts(text, "#define ") ? text + strlen("#define ") : strrchr(text, ' ') + 1;
	return strncmp(at, name, len) == 0 && strchr(" (;", at[len]);
}

const char *host_name(const char *name, size_t len) {
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (declares(names[i], name, len)) return names[i];
	return NULL;
}

/* Traits are the many others. */
static bool trait(const char *name, size_t len) {
	static const char others[] =
		"conditional conditional_t enable_if enable_if_t integral_constant bool_constant true_type false_type "
		"decay decay_t common_type common_type_t underlying_type void_t invoke_result_t conjunction disjunction "
		"negation alignment_of extent rank";
	return (len > 3 && memcmp(name, "is_", 3) == 0) || (len > 7 && memcmp(name, "remove_", 7) == 0) ||
		   (len > 4 && memcmp(name, "add_", 4) == 0) ||
		   (len > 5 && memcmp(name, "make_", 5) == 0 && name[len - 1] == 'd') || text_has_word(others, name, len);
}

const char *host_toolkit_name(const char *name, size_t len) {
	static const Entry known[] = {{"__nv_bfloat16 __nv_bfloat162 nv_bfloat16", "#include <cuda_bf16.h>"},
								  {"__half __half2 half half2", "#include <cuda_fp16.h>"},
								  {"cuComplex cuFloatComplex cuDoubleComplex", "#include <cuComplex.h>"}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (text_has_word(known[i].names, name, len)) return known[i].text;
	return NULL;
}

bool host_library_name(const char *name, size_t len) {
	static const char *const prefixes[] = {"cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn", "nccl"};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (len > strlen(prefixes[i]) && text_starts(name, prefixes[i])) return true;
	return false;
}

static bool ends(const char *name, size_t len, const char *ending) {
	const size_t n = strlen(ending);
	return len > n && memcmp(name + len - n, ending, n) == 0;
}

const char *host_library_type(const char *name, size_t len, Str *room) {
	static const Entry numbers[] = {{"cufftReal", "float"},
									{"cufftDoubleReal", "double"},
									{"cufftComplex", "float2"},
									{"cufftDoubleComplex", "double2"},
									{"cufftHandle", "int"}};
	static const char *const handles[] = {"Handle_t",    "Descr_t", "Descriptor_t",   "Desc_t",
										  "Generator_t", "Comm_t",  "MatrixLayout_t", "MatmulPreference_t"};
	if (!host_library_name(name, len)) return NULL;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (equal(numbers[i].names, name, len)) str_addf(room, "typedef %s %s;", numbers[i].text, numbers[i].names);
	for (size_t i = 0; i < sizeof handles / sizeof *handles && !room->len; i++)
		if (ends(name, len, handles[i]))
			str_addf(room, "typedef struct %.*sOpaque *%.*s;", (int)len, name, (int)len, name);
	return room->len ? room->text : NULL;
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
	if (!text_has_word(cmath_names, name, len)) return NULL;
	str_addf(room, "namespace std { using ::%.*s; }", (int)len, name);
	return room->text;
}

const char *host_std_header(const char *name, size_t len) {
	for (size_t i = 0; i < sizeof std_names / sizeof *std_names; i++)
		if (text_has_word(std_names[i].names, name, len)) return std_names[i].text;
	return trait(name, len) ? "cuda/std/type_traits" : NULL;
}

bool host_header(const char *name) {
	static const char headers[] =
		"algorithm any array atomic bitset cassert ccomplex cctype cerrno cfloat charconv chrono cinttypes "
		"climits clocale cmath complex condition_variable csignal cstdarg cstddef cstdint cstdio cstdlib cstring "
		"ctime deque exception execution filesystem forward_list fstream functional future initializer_list "
		"iomanip ios iosfwd iostream istream iterator limits list locale map memory mutex new numeric optional "
		"ostream queue random ratio regex set span sstream stack stdexcept streambuf string string_view strstream "
		"system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray "
		"variant vector assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h malloc.h "
		"math.h memory.h setjmp.h signal.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h "
		"strings.h tgmath.h time.h wchar.h dirent.h dlfcn.h fcntl.h getopt.h libgen.h omp.h pthread.h sched.h "
		"semaphore.h unistd.h values.h windows.h Windows.h mpi.h x86intrin.h immintrin.h emmintrin.h xmmintrin.h "
		"intrin.h conio.h process.h winsock2.h netdb.h poll.h";
	return text_has_word(headers, name, strlen(name)) || text_starts(name, "sys/") || text_starts(name, "GL/") ||
		   text_starts(name, "arpa/") || text_starts(name, "netinet/") || text_starts(name, "bits/") ||
		   text_starts(name, "opencv2/") || text_starts(name, "boost/");
}

bool host_toolkit_header(const char *name) {
	static const char headers[] =
		"cuda.h cuda_profiler_api.h cudaProfiler.h nvrtc.h nvml.h cupti.h cublas_v2.h cublas.h cublasLt.h "
		"cublasXt.h cufft.h cufftXt.h curand.h cusparse.h cusparse_v2.h cusolverDn.h cusolverSp.h "
		"cusolver_common.h cudnn.h nccl.h nvToolsExt.h cuda_gl_interop.h nvJitLink.h cudaTypedefs.h cudaEGL.h "
		"cuda_egl_interop.h cudaGL.h cudaVDPAU.h cuda_vdpau_interop.h cufile.h";
	return text_has_word(headers, name, strlen(name)) || text_starts(name, "nvtx3/") ||
		   text_starts(name, "cub/device/") || strcmp(name, "cub/cub.cuh") == 0;
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
									{"CacheModifiedInputIterator", "cub/iterator/cache_modified_input_iterator.cuh"},
									{"KeyValuePair", "cub/util_type.cuh"},
									{"ThreadLoad", "cub/thread/thread_load.cuh"},
									{"ThreadReduce", "cub/thread/thread_reduce.cuh"},
									{"ThreadStore", "cub/thread/thread_store.cuh"},
									{"WarpExchange", "cub/warp/warp_exchange.cuh"},
									{"WarpLoad", "cub/warp/warp_load.cuh"},
									{"WarpMergeSort", "cub/warp/warp_merge_sort.cuh"},
									{"WarpReduce", "cub/warp/warp_reduce.cuh"},
									{"WarpScan", "cub/warp/warp_scan.cuh"},
									{"WarpStore", "cub/warp/warp_store.cuh"}};
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
		if (equal(headers[i].names, name, len)) return headers[i].text;
	return NULL;
}

bool host_thrust_header(const char *name) {
	static const char device[] =
		"addressof.h advance.h distance.h functional.h pair.h tuple.h iterator/constant_iterator.h "
		"iterator/counting_iterator.h iterator/discard_iterator.h iterator/permutation_iterator.h "
		"iterator/reverse_iterator.h iterator/transform_iterator.h iterator/zip_iterator.h";
	const char *rest = text_starts(name, "thrust/") ? name + strlen("thrust/") : NULL;
	return rest && !text_has_word(device, rest, strlen(rest));
}

const char *host_thrust_complex(void) {
	/* ::cuda, since Thrust has a namespace of that name, too */
	return "namespace thrust { using ::cuda::std::complex; using ::cuda::std::abs; using ::cuda::std::arg; "
		   "using ::cuda::std::norm; using ::cuda::std::conj; using ::cuda::std::proj; using ::cuda::std::polar; "
		   "using ::cuda::std::exp; using ::cuda::std::log; using ::cuda::std::log10; using ::cuda::std::pow; "
		   "using ::cuda::std::sqrt; using ::cuda::std::sin; using ::cuda::std::cos; using ::cuda::std::tan; "
		   "using ::cuda::std::sinh; using ::cuda::std::cosh; using ::cuda::std::tanh; using ::cuda::std::asin; "
		   "using ::cuda::std::acos; using ::cuda::std::atan; using ::cuda::std::asinh; using ::cuda::std::acosh; "
		   "using ::cuda::std::atanh; }";
}
