/* Device code out of sources with host code: what is left of them, line by line. */
#include "folder.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "compile/source/device_code.h"

/* A header "h" is in the unit, "cuda..." is the toolkit's, all else is missing. */
static IncludeMeaning resolve(void *context, const char *path, uint32_t line) {
	const char *const *texts = context, *text = texts[*path != '\0'];
	while (text && --line) text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
	if (text && strstr(text, "\"h\"") && strstr(text, "\"h\"") < strchr(text, '\n'))
		return (IncludeMeaning){INCLUDE_UNIT, "/h"};
	if (text && strstr(text, "cuda") && strstr(text, "cuda") < strchr(text, '\n'))
		return (IncludeMeaning){INCLUDE_CUDA, NULL};
	return (IncludeMeaning){INCLUDE_MISSING, NULL};
}

static Arena *arena; /* of the unit read last */

static DeviceCode read_unit(const char *source, const char *header) {
	const char *texts[] = {source, header};
	const UnitFile files[] = {{"", source}, {"/h", header}};
	DeviceCode code;
	arena_free(arena);
	arena = arena_new();
	device_code(arena, files, header ? 2 : 1, resolve, texts, &code);
	return code;
}

/* Blanks at the ends of lines do not matter. */
static char *trimmed(const char *text) {
	Str s = {0};
	str_add(&s, "");
	for (const char *p = text; *p; p++) {
		if (*p == '\n')
			while (s.len && s.text[s.len - 1] == ' ') s.text[--s.len] = '\0';
		str_addn(&s, p, 1);
	}
	return str_take(&s);
}

static size_t lines_of(const char *text) {
	size_t n = 0;
	for (; *text; text++) n += *text == '\n';
	return n;
}

static void expect(const char *source, const char *wanted) {
	DeviceCode code = read_unit(source, NULL);
	char *got = trimmed(code.files.data[0].text);
	assert_string_equal(got, wanted);
	assert_int_equal(lines_of(got), lines_of(source));
	free(got);
}

#define K "__global__ void k(int *o) { *o = 1; }\n"
#define MAIN "int main() { k<<<1, 1>>>(0); }\n"

static void leaves_device_code_alone(void **state) {
	DeviceCode code = read_unit("#include \"cuda_fp16.h\"\nstruct S { int a; };\n" K, NULL);
	assert_false(code.changed);
	assert_null(code.prelude);
}

static void takes_a_macro_that_launches_for_host_code(void **state) {
	expect(K "void run(int n) {\n#define CASE(N) if (n == N) k<<<1, N>>>(0);\n\tCASE(1)\n}\n",
		   K "\n#define CASE(N) if (n == N) k<<<1, N>>>(0);\n\t\n\n");
}

/* Without host code, NVRTC is to say what is wrong. */
static void leaves_mistakes_alone(void **state) {
	expect("int f() { return 1; }\n__global__ void k(int *o) { *o = f(); }\n",
		   "int f() { return 1; }\n__global__ void k(int *o) { *o = f(); }\n");
	expect("_global_ void k(int *o) { *o = 1; }\n" MAIN, "_global_ void k(int *o) { *o = 1; }\n\n");
}

static void leaves_out_host_code(void **state) {
	expect("#include <stdio.h>\n" K MAIN, "\n" K "\n");
	expect("static int n = 3;\nvoid f(int a,\n  int b)\n{\n  if (a) { b = '}'; }\n}\n" K MAIN, "\n\n\n\n\n\n" K "\n");
	expect("extern \"C\" {\nvoid f();\n" K "}\n" MAIN, "extern \"C\" {\n\n" K "}\n\n");
	expect("namespace a { namespace {\nvoid f() {}\n" K "} }\n" MAIN, "namespace a { namespace {\n\n" K "} }\n\n");
	expect("template <class T> void f(T t) { t(); }\ntemplate void f<int>(int);\n" K MAIN, "\n\n" K "\n");
	expect("void f();\nint *p = nullptr, q[2] = {1, 2};\nauto g = [](int a) { return a; };\n" K MAIN, "\n\n\n" K "\n");
	expect("std::function<void(int)> f;\nusing namespace cv;\nusing namespace std;\n" K MAIN,
		   "\n\nusing namespace std;\n" K "\n");
}

static void keeps_what_is_used(void **state) {
	expect("struct A { int a; };\nstruct B { FILE *f; };\ntypedef A C;\n__device__ int f(C c) { return c.a; }\n" MAIN,
		   "struct A { int a; };\n\ntypedef A C;\n__device__ int f(C c) { return c.a; }\n\n");
	expect("const int N = 4, M = f();\nconst int O = f();\n#define P (N + 1)\n__device__ int a[P];\n" MAIN,
		   "const int N = 4, M = f();\n\n#define P (N + 1)\n__device__ int a[P];\n\n");
	expect("enum { RED, GREEN };\nenum class E { X };\n__device__ int a = GREEN;\n" MAIN,
		   "enum { RED, GREEN };\n\n__device__ int a = GREEN;\n\n");
	expect("typedef struct { float x; } V, *W;\n__device__ W w;\n" MAIN,
		   "typedef struct { float x; } V, *W;\n__device__ W w;\n\n");
	expect(
		"template <int N> struct T { enum { V = N }; };\ntemplate <> struct T<1> {};\n__device__ int "
		"a[T<2>::V];\n" MAIN,
		"template <int N> struct T { enum { V = N }; };\ntemplate <> struct T<1> {};\n__device__ int a[T<2>::V];\n\n");
}

static void takes_members_by_their_marks(void **state) {
	expect("struct A {\n  A(int b) : a(b), c{1} { f(); }\n  __device__ int g() { return a; }\n  int a, c;\n  FILE "
		   "*h();\n};\n"
		   "__global__ void k(A a) {}\n" MAIN,
		   "struct A {\n\n  __device__ int g() { return a; }\n  int a, c;\n\n};\n__global__ void k(A a) {}\n\n");
	expect("class A { public: A() = default; A(const A &) = delete; virtual ~A() {} int a; };\n__global__ void k(A a) "
		   "{}\n" MAIN,
		   "class A { public: A() = default; A(const A &) = delete;                 int a; };\n__global__ void k(A a) "
		   "{}\n\n");
}

static void marks_constexpr_functions(void **state) {
	expect("template <int N> constexpr int f() { return N; }\n__device__ int a = f<3>();\n" MAIN,
		   "template <int N> __host__ __device__ constexpr int f() { return N; }\n__device__ int a = f<3>();\n\n");
}

static void follows_macros(void **state) {
	expect("#define HD __host__ __device__\n#define KERNEL(name) \\\n __global__ void name()\nHD int f() { return 1; "
		   "}\nKERNEL(k) { f(); }\n"
		   "int g() {}\n" MAIN,
		   "#define HD __host__ __device__\n#define KERNEL(name) \\\n __global__ void name()\nHD int f() { return 1; "
		   "}\nKERNEL(k) { f(); }\n\n\n");
	expect("#define REGISTER(a) int a;\n#define DEVICE(a) __device__ int a;\nREGISTER(x)\nDEVICE(y)\n" K MAIN,
		   "#define REGISTER(a) int a;\n#define DEVICE(a) __device__ int a;\n\nDEVICE(y)\n" K "\n");
}

static void reads_both_sides_of_a_condition(void **state) {
	expect("#ifdef A\n__global__ void k(int a) {\n#else\n__global__ void k(float a) {\n#endif\n}\nvoid f()\n#if 1\n{ "
		   "}\n#else\n{ g(); }\n#endif\n" MAIN,
		   "#ifdef A\n__global__ void k(int a) {\n#else\n__global__ void k(float a) {\n#endif\n}\n\n#if "
		   "1\n\n#else\n\n#endif\n\n");
	expect("#if 0\nit's } no code {{\n#endif\n" K MAIN, "#if 0\nit's } no code {{\n#endif\n" K "\n");
	expect("void f() {\n#define N 3\n  int a[] = {\n#include \"data\"\n  };\n}\n__device__ int a[N];\n" MAIN,
		   "\n#define N 3\n\n\n\n\n__device__ int a[N];\n\n");
}

static void takes_c_literals(void **state) {
	expect("__device__ float2 f() { return (float2){1, 2}; }\n", "__device__ float2 f() { return  float2 {1, 2}; }\n");
	expect("__device__ int f(int a) { if (a) { return 1; } return (a); }\n",
		   "__device__ int f(int a) { if (a) { return 1; } return (a); }\n");
}

static void declares_what_nvcc_does(void **state) {
	DeviceCode code = read_unit("__global__ void k(uint *o) { *o = INT_MAX; }\n", NULL);
	assert_false(code.changed);
	assert_string_equal(code.prelude, "typedef unsigned int uint;\n#define INT_MAX 2147483647\n");
	code = read_unit("typedef unsigned uint;\n__global__ void k(uint *o) { *o = 1; }\n", NULL);
	assert_null(code.prelude);
	code = read_unit("#ifndef M_PI\n#define M_PI 3\n#endif\n__global__ void k(float *o) { *o = M_PI; }\n", NULL);
	assert_string_equal(code.prelude, "#pragma nv_diag_suppress 47\n#define M_PI 3.14159265358979323846\n");
	code = read_unit(
		MAIN "using namespace std;\n__global__ void k(float *o) { *o = std::sqrt(std::max(*o, sqrt(2.f))); }\n", NULL);
	assert_string_equal(
		code.prelude,
		"namespace std { using ::sqrt; }\nnamespace std { template <class T> __host__ __device__ constexpr const T "
		"&max(const T &a, const T &b) { return a < b ? b : a; } }\n");
	code = read_unit("#include <limits>\n__global__ void k(int *o) { *o = std::numeric_limits<int>::max(); }\nvoid f() "
					 "{ std::vector<int> v; }\n",
					 NULL);
	assert_string_equal(code.prelude, "#include <cuda/std/limits>\nnamespace std { using namespace cuda::std; }\n");
	code = read_unit("#include <cub/cub.cuh>\n__global__ void k() { cub::WarpReduce<int> r; }\n", NULL);
	assert_string_equal(code.prelude, "#include <cub/warp/warp_reduce.cuh>\n");
	code =
		read_unit("#include <cub/cub.cuh>\nusing namespace cub;\n__global__ void k() { WarpReduce<int> r; }\n", NULL);
	assert_string_equal(code.prelude, "namespace cub {}\n#include <cub/warp/warp_reduce.cuh>\n");
	assert_non_null(strstr(code.files.data[0].text, "using namespace cub;"));
}

static void gives_what_thrust_has_for_devices(void **state) {
	static const char includes[] = "#include <thrust/sort.h>\n#include <thrust/tuple.h>\n";
	AUTO_STR Str source = {0};
	str_addf(&source, "%s__global__ void k(int *p) { thrust::tuple<int> t(*p); }\n" MAIN, includes);
	DeviceCode code = read_unit(source.text, NULL);
	assert_string_equal(code.prelude, "namespace thrust {}\n");
	assert_null(strstr(code.files.data[0].text, "sort.h"));
	assert_non_null(strstr(code.files.data[0].text, "#include <thrust/tuple.h>"));
	code = read_unit("#include <thrust/complex.h>\n__global__ void k() { thrust::complex<float> c; }\n" MAIN, NULL);
	assert_non_null(
		strstr(code.prelude, "#include <cuda/std/complex>\nnamespace thrust { using ::cuda::std::complex;"));
	code = read_unit("#include <thrust/tuple.h>\n" K MAIN, NULL);
	assert_null(strstr(code.files.data[0].text, "tuple.h"));
}

static void reads_headers_of_its_own(void **state) {
	DeviceCode code = read_unit("#include \"h\"\n__global__ void k(A a) {}\n",
								"#include <vector>\nstruct A { int a; };\nvoid f();\n");
	char *source = trimmed(code.files.data[0].text), *header = trimmed(code.files.data[1].text);
	assert_string_equal(source, "#include \"/h\"\n__global__ void k(A a) {}\n");
	assert_string_equal(header, "\nstruct A { int a; };\n\n");
	free(source);
	code = read_unit("#include \"h\" /* more\n lines */ \\\n\n__global__ void k(A a) {}\n",
					 "#include <vector>\nstruct A { int a; };\n");
	source = trimmed(code.files.data[0].text);
	assert_string_equal(source, "#include \"/h\"\n\n\n__global__ void k(A a) {}\n");
	free(source);
	free(header);
}

static void remembers_what_it_left_out(void **state) {
	DeviceCode code = read_unit("#include <helper.h>\nint f() { return 1; }\n" K MAIN, NULL);
	const LeftOut *f = device_code_left_out(&code, "f()", 1);
	assert_non_null(f);
	assert_int_equal(f->line, 2);
	assert_int_equal(code.includes.len, 1);
	assert_string_equal(code.includes.data[0].name, "helper.h");
	assert_null(device_code_left_out(&code, "k", 1));
}

/* Any text, and any beginning of one, has as many lines afterwards. */
static void survives_every_cut(void **state) {
	static const char whole[] =
		"#include \"h\"\n#define HD __device__\n#if 0\n'\n#elif X\nnamespace a { class B : public C<1> { B() : d(1), "
		"e{2} {} HD int f(); };\n"
		"#else\n}}}\n#endif\ntemplate <class T = decltype(f(1))> HD constexpr T g(T t = (T){1}) { return R\"(x)\"; }\n"
		"typedef void (*F)(int, int); enum E { X, Y = (1 < 2) }; extern \"C\" { __global__ void k(); }\n"
		"using U = std::vector<int>; int main() { k<<<1, 1>>>(); } constexpr int z() { return 1; }\n";
	for (size_t n = 0; n < sizeof whole; n++) {
		char *text = xcalloc(n + 1, 1);
		memcpy(text, whole, n);
		DeviceCode code = read_unit(text, "int h;\n");
		assert_int_equal(lines_of(code.files.data[0].text), lines_of(text));
		free(text);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaves_device_code_alone),
		cmocka_unit_test(takes_a_macro_that_launches_for_host_code),
		cmocka_unit_test(leaves_mistakes_alone),
		cmocka_unit_test(leaves_out_host_code),
		cmocka_unit_test(keeps_what_is_used),
		cmocka_unit_test(takes_members_by_their_marks),
		cmocka_unit_test(marks_constexpr_functions),
		cmocka_unit_test(follows_macros),
		cmocka_unit_test(reads_both_sides_of_a_condition),
		cmocka_unit_test(takes_c_literals),
		cmocka_unit_test(declares_what_nvcc_does),
		cmocka_unit_test(gives_what_thrust_has_for_devices),
		cmocka_unit_test(reads_headers_of_its_own),
		cmocka_unit_test(remembers_what_it_left_out),
		cmocka_unit_test(survives_every_cut),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("device code", tests, NULL, NULL);
}
