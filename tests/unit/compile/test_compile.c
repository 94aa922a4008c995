/* compile() with a real NVRTC: code, names, messages, headers, the cache. */
#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "compile/compile.h"
#include "compile/worker/service.h"

static const char kernels[] =
	"namespace foo { __global__ void inner(float *p) { p[0] = 1; } }\n"
	"static __global__ void hidden(float *p) { p[0] = 3; }\n"
	"template <int N> __global__ void tile(float *p) { p[N] = 3; }\n"
	"extern \"C\" __global__ void plain(float *p) { p[0] = 3; }\n"
	"__global__ void over(float *p) { p[0] = 3; }\n"
	"__global__ void over(int *p) { p[0] = 3; }\n"
	"__device__ float helper(float x) { return x; }\n"
	"__global__ void copy(float *p, const float *q) { p[threadIdx.x] = helper(q[threadIdx.x]); }\n";

/* One compile and everything it left; free with done(). */
typedef struct {
	bool ok;
	Compiled *c;
	Diagnostics diags;
	Err err;
} Try;

static Try run(CompileJob job) {
	Try t = {.err = ERR_INIT};
	if (!job.path) job.path = "a.cu";
	if (!job.cc) job.cc = 90;
	t.ok = compile(&job, &t.c, &t.diags, &t.err);
	assert_int_equal(t.ok, t.c != NULL);
	assert_int_equal(t.ok, t.err.kind == ERR_NONE);
	return t;
}

static void done(Try *t) {
	compiled_free(t->c);
	diagnostics_free(&t->diags);
}

static Try must(CompileJob job) {
	Try t = run(job);
	if (!t.ok) fail_msg("%s\n%s", t.err.what, t.err.hint);
	return t;
}

static Try source(const char *text) {
	return run((CompileJob){.source = text});
}

static void gives_cubin_and_ptx(void **state) {
	Try t = must((CompileJob){.source = kernels});
	assert_memory_equal(t.c->cubin, "\177ELF", 4);
	assert_int_equal(strlen(t.c->ptx), t.c->ptx_bytes);
	assert_non_null(strstr(t.c->ptx, ".target sm_90"));
	assert_non_null(strstr(t.c->ptx, "\t.loc\t"));
	assert_false(t.c->from_cache);
	assert_true(t.c->milliseconds > 0);
	done(&t);
}

/* ptxas has nothing to say of a kernel without inline assembly, and takes a third of the time. */
static void an_emulator_needs_no_cubin(void **state) {
	const char *const defines[] = {"-DWIDTH=4", NULL}, *const registers[] = {"--maxrregcount=32", NULL};
	const struct {
		const char *source;
		const char *const *options;
		bool cubin;
	} cases[] = {
		{kernels, NULL, false},
		{kernels, defines, false},
		{kernels, registers, true},
		{"__global__ void k(int *p) { __shared__ int a[12288]; a[p[2]] = 1; __syncthreads(); printf(\"%d\", a[p[1]]); "
		 "}\n",
		 NULL, false},
		{"__global__ void k(int *p) { asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(*p)); }\n", NULL, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Try all = must((CompileJob){.source = cases[i].source, .options = cases[i].options});
		for (int again = 0; again < 2; again++) {
			Try t = must((CompileJob){.source = cases[i].source, .options = cases[i].options, .for_emulator = true});
			assert_int_equal(t.c->cubin != NULL, cases[i].cubin);
			assert_int_equal(t.c->from_cache, again);
			assert_string_equal(t.c->ptx, all.c->ptx);
			done(&t);
		}
		done(&all);
	}
	static const char *const refused[] = {
		"__global__ void k(int *p) { p[0] = __ballot(p[1]); }\n",
		"__global__ void k(int *p) { p[0] = __shfl(p[1], 3); }\n",
		"__global__ void k() { asm(\"mov.u32 %nothing, 1;\"); }\n",
		"#define ASSEMBLY(a) a##sm\n__global__ void k() { ASSEMBLY(a)(\"mov.u32 %nothing, 1;\"); }\n",
		"__global__ void k(int *p) { __shared__ int a[12289]; a[p[2]] = 1; __syncthreads(); p[0] = a[p[1]]; }\n",
		"template <int N> __constant__ int c[N];\n__global__ void k(int *p) { p[0] = c<20000>[p[1]]; }\n",
		"extern __device__ int f(int);\n__global__ void k(int *p) { printf(\"%d\", 1); p[0] = f(1); }\n",
	};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		Try all = source(refused[i]);
		Try t = run((CompileJob){.source = refused[i], .for_emulator = true});
		assert_false(t.ok);
		assert_int_equal(t.err.kind, ERR_COMPILE);
		assert_string_equal(t.err.what, all.err.what);
		done(&t);
		done(&all);
	}
}

static void names_its_file(void **state) {
	put("named.cu", kernels);
	Try t = must((CompileJob){.source = kernels, .path = "named.cu"});
	Str line = {0};
	char *real = realpath("named.cu", NULL);
	str_addf(&line, "\t.file\t1 \"%s\"", real);
	assert_non_null(strstr(t.c->ptx, line.text));
	str_free(&line);
	free(real);
	done(&t);
	t = must((CompileJob){.source = kernels, .path = "<prompt>"});
	assert_non_null(strstr(t.c->ptx, "\t.file\t1 \"<prompt>\""));
	done(&t);
}

static void reaches_every_kernel(void **state) {
	Try t = must((CompileJob){.source = kernels});
	assert_string_equal(compiled_linked_name(t.c, "copy"), "_Z4copyPfPKf");
	assert_string_equal(compiled_linked_name(t.c, "foo::inner"), "_ZN3foo5innerEPf");
	assert_string_equal(compiled_linked_name(t.c, "plain"), "plain");
	assert_string_equal(compiled_linked_name(t.c, "hidden"), "_Z6hiddenPf");
	assert_string_equal(compiled_linked_name(t.c, "_Z4overPi"), "_Z4overPi");
	assert_null(compiled_linked_name(t.c, "over")); /* which of the two? */
	assert_null(compiled_linked_name(t.c, "tile"));
	assert_null(compiled_linked_name(t.c, "helper"));
	done(&t);
}

static void instantiates_templates(void **state) {
	const char *const names[] = {"tile<33>", "tile< 2 + 2 >", "copy", "foo::inner", "hidden", NULL};
	Try t = must((CompileJob){.source = kernels, .names = names});
	assert_string_equal(compiled_linked_name(t.c, "tile<33>"), "_Z4tileILi33EEvPf");
	assert_string_equal(compiled_linked_name(t.c, "tile<2+2>"), "_Z4tileILi4EEvPf");
	assert_string_equal(compiled_linked_name(t.c, "hidden"), "_Z6hiddenPf");
	assert_string_equal(compiled_linked_name(t.c, "plain"), "plain"); /* there though not asked for */
	assert_non_null(strstr(t.c->ptx, ".entry _Z4tileILi4EEvPf("));
	done(&t);
}

static void expect_bad_name(const char *name, const char *what, const char *hint) {
	const char *const names[] = {"copy", name, NULL};
	Try t = run((CompileJob){.source = kernels, .names = names});
	assert_false(t.ok);
	assert_int_equal(t.err.kind, ERR_COMPILE);
	if (!strstr(t.err.what, what)) fail_msg("%s: \"%s\" lacks \"%s\"", name, t.err.what, what);
	if (!strstr(t.err.hint, hint)) fail_msg("%s: \"%s\" lacks \"%s\"", name, t.err.hint, hint);
	assert_int_equal(t.diags.len, 1);
	done(&t);
}

static void explains_bad_names(void **state) {
	expect_bad_name("nope", "there is no kernel \"nope\" in a.cu", "the kernels here: ");
	expect_bad_name("cpoy", "there is no kernel \"cpoy\"", "did you mean \"copy\"?");
	expect_bad_name("inner", "there is no kernel \"inner\"", "foo::inner");
	expect_bad_name("tile", "kernel \"tile\" is a template <int N>: name an instance", "tile<int N>");
	expect_bad_name("tile<int>", "\"tile<int>\" is no instance of the kernel template tile<int N>", "tile<int N>");
	expect_bad_name("over", "the name of several kernels", "_Z4overPf");
	expect_bad_name("tile<", "no instance", "");
	expect_bad_name("", "\"\"", "");
	expect_bad_name("\"; } #error", "", "");
	expect_bad_name("a\nb", "", "");
}

static void functions_are_no_kernels(void **state) {
	const char *const names[] = {"helper", NULL};
	Try t = run((CompileJob){.source = kernels, .names = names});
	assert_false(t.ok);
	assert_int_equal(t.err.kind, ERR_COMPILE);
	assert_non_null(strstr(t.err.what, "\"helper\" in a.cu is not a kernel"));
	done(&t);
	const char *const variables[] = {"&table", "k", NULL}; /* an address that is asked for is no mistake */
	t = must((CompileJob){.source = "__constant__ float table[8];\n__global__ void k(float *p) { *p = table[0]; }\n",
						  .names = variables});
	assert_string_equal(compiled_linked_name(t.c, "&table"), "table");
	done(&t);
}

static void looks_up_names(void **state) {
	Try t = must((CompileJob){.source = kernels});
	assert_string_equal(compiled_linked_name(t.c, "copy"), "_Z4copyPfPKf");
	assert_null(compiled_linked_name(t.c, "cpy"));
	done(&t);
	t = must((CompileJob){.source = "__device__ int x;\n"});
	assert_int_equal(t.c->nnames, 0);
	done(&t);
}

static void points_at_a_missing_semicolon(void **state) {
	Try t = source("__global__ void k(float *p) {\n\tfloat x = 3 // here\n\n\tp[0] = x;\n}\n");
	assert_false(t.ok);
	assert_int_equal(t.err.kind, ERR_COMPILE);
	assert_string_equal(t.err.what,
						"a.cu:2:13: error: expected a \";\"\n      float x = 3 // here\n                 ^");
	assert_string_equal(t.err.where, "a.cu:2");
	assert_true(t.diags.len >= 1);
	assert_int_equal(t.diags.data[0].line, 2);
	assert_int_equal(t.diags.data[0].column, 13);
	done(&t);
}

static void tells_all_errors(void **state) {
	Try t = source("__global__ void k(float *p) {\n\tundefined(p);\n\tint q = \"abc\";\n\tint unused;\n}\n");
	assert_false(t.ok);
	assert_string_equal(t.err.where, "a.cu:2");
	assert_int_equal(t.diags.len, 3);
	assert_int_equal(t.diags.data[0].line, 2);
	assert_int_equal(t.diags.data[0].column, 2);
	assert_string_equal(t.diags.data[0].source_line, "\tundefined(p);");
	assert_int_equal(t.diags.data[1].line, 3);
	assert_int_equal(t.diags.data[1].column, 10);
	assert_int_equal(t.diags.data[2].kind, DIAG_WARNING);
	done(&t);
}

static void errors_come_before_bad_names(void **state) {
	const char *const names[] = {"nope", NULL};
	Try t = run((CompileJob){.source = "__global__ void k() { x; }\n", .names = names});
	assert_false(t.ok);
	assert_non_null(strstr(t.err.what, "identifier \"x\" is undefined"));
	for (size_t i = 0; i < t.diags.len; i++) assert_string_equal(t.diags.data[i].file, "a.cu");
	done(&t);
}

static void explains_instantiations(void **state) {
	const char *const names[] = {"k<float>", NULL};
	Try t = run(
		(CompileJob){.source = "template <class T> __global__ void k(T *p) { typename T::x z; }\n", .names = names});
	assert_false(t.ok);
	assert_string_equal(t.err.where, "a.cu:1");
	assert_non_null(strstr(t.err.what, "detected during instantiation"));
	done(&t);
}

static void keeps_warnings(void **state) {
	empty_cache();
	const char *text = "__global__ void k() {\n\tint unused;\n}\n";
	for (int round = 0; round < 2; round++) { /* from the cache too */
		Try t = must((CompileJob){.source = text});
		assert_int_equal(t.c->from_cache, round == 1);
		assert_int_equal(t.diags.len, 1);
		assert_int_equal(t.diags.data[0].kind, DIAG_WARNING);
		assert_string_equal(t.diags.data[0].file, "a.cu");
		assert_int_equal(t.diags.data[0].line, 2);
		done(&t);
	}
}

static void places_what_ptxas_says(void **state) {
	Try t = source("\n__global__ void big(float *p) {\n\t__shared__ float s[20000];\n\ts[threadIdx.x] = *p;\n"
				   "\t__syncthreads();\n\t*p = s[(int)p[1]];\n}\n");
	assert_false(t.ok);
	assert_string_equal(t.err.where, "a.cu:2");
	assert_non_null(strstr(t.err.what, "\"big\" uses too much shared data (80000 bytes, 49152 max)"));
	assert_non_null(strstr(t.err.hint, "dynamic shared memory"));
	done(&t);
}

static void cuda_headers_compile(void **state) {
	Try t = must((CompileJob){.source =
								  "#include <cuda/std/array>\n#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n"
								  "__global__ void k(half *p) { cuda::std::array<half, 2> a{p[0], p[1]};\n"
								  "\tcooperative_groups::this_thread_block().sync(); p[0] = a[0] + a[1]; }\n"});
	done(&t);
}

static void headers_are_found(void **state) {
	put("lib/beside.h", "#include \"deeper/nested.h\"\n");
	put("lib/deeper/nested.h", "#define NESTED 1\n");
	put("given/far.h", "#define FAR 2\n");
	const char *text =
		"#include \"beside.h\"\n#include <far.h>\n__global__ void k(int *p) { *p = NESTED + FAR + TILE; }\n";
	char *far_away = path_in_folder("given"), *path = path_in_folder("lib/x.cu");
	put("lib/x.cu", text);
	const char *const dirs[] = {far_away, NULL}, *const options[] = {"-DTILE=32", NULL};
	Try t = must((CompileJob){.source = text, .path = "lib/x.cu", .include_dirs = dirs, .options = options});
	done(&t);
	assert_int_equal(chdir("/"), 0); /* from anywhere */
	t = must((CompileJob){.source = text, .path = path, .include_dirs = dirs, .options = options});
	done(&t);
	assert_int_equal(chdir(folder_path()), 0);
	free(far_away);
	free(path);
}

/* Of the other kernels no code is made; variables stay, lines too, and what is wrong with any of them is told as
 * ever. */
static void nothing_but_what_is_asked_for(void **state) {
	static const char text[] = "__device__ int counter = 3;\n"
							   "__global__ void other(int *p) { p[0] = counter; }\n"
							   "namespace lab { __global__ void third(int *p) { p[1] = 5; } }\n"
							   "template <int N> __global__ void tile(int *p) { p[N] = N; }\n"
							   "__global__ void wanted(int *p) { p[2] = 7; }\n";
	static const char *const wanted[] = {"wanted", NULL}, *const tile[] = {"tile<4>", NULL},
							 *const third[] = {"lab::third", NULL};
	const struct {
		const char *const *names;
		const char *entry, *line;
	} cases[] = {{wanted, ".entry _Z6wantedPi(", ".loc\t1 5 "},
				 {tile, ".entry _Z4tileILi4EEvPi(", ".loc\t1 4 "},
				 {third, ".entry _ZN3lab5thirdEPi(", ".loc\t1 3 "}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Try t = must((CompileJob){.source = text, .names = cases[i].names, .nothing_else = true});
		const char *entry = strstr(t.c->ptx, ".entry");
		assert_ptr_equal(entry, strstr(t.c->ptx, cases[i].entry));
		assert_null(strstr(entry + 1, ".entry"));
		assert_non_null(strstr(t.c->ptx, cases[i].line));
		assert_non_null(strstr(t.c->ptx, "counter"));
		assert_int_equal(t.c->nnames, 1);
		done(&t);
	}
	Try t = must((CompileJob){.source = text, .names = wanted});
	assert_int_equal(t.c->nnames, 3);
	done(&t);
	t = must((CompileJob){.source = kernels, .names = (const char *const[]){"copy", NULL}, .nothing_else = true});
	assert_non_null(strstr(t.c->ptx, ".entry plain(")); /* extern "C" is of no template: all are there */
	done(&t);
	t = run((CompileJob){
		.source = "__global__ void other(int *p) { p[0] = nothing; }\n__global__ void wanted(int *p) { p[2] = 7; }\n",
		.names = wanted,
		.nothing_else = true});
	assert_false(t.ok);
	assert_int_equal(t.diags.data[0].line, 1);
	assert_int_equal(t.diags.data[0].column, 40);
	done(&t);
	t = must((CompileJob){
		.source =
			"__global__ void other(int *p) { p[0] = 1; }\n__global__ void wanted(int *p) { int unused; p[2] = 7; }\n",
		.names = wanted,
		.nothing_else = true});
	assert_int_equal(t.diags.len, 1);
	assert_int_equal(t.diags.data[0].kind, DIAG_WARNING);
	assert_int_equal(t.diags.data[0].line, 2);
	done(&t);
}

/* Tried first with few declarations, and compiled with all of CUDA's where those do not do. */
static void what_hides_in_a_header_compiles(void **state) {
	put("lib/image.h",
		"__device__ float texel(cudaTextureObject_t image, int i) { return tex1Dfetch<float>(image, i); }\n");
	put("lib/uses.cu", "");
	Try t =
		must((CompileJob){.source = "#include \"image.h\"\n__global__ void k(float *p, unsigned long long image) {\n"
									"\tp[0] = texel(image, 3); }\n",
						  .path = "lib/uses.cu"});
	assert_non_null(strstr(t.c->ptx, "tex.1d"));
	done(&t);
	put("lib/image.h", "__device__ cudaTextureObject_t image = nothing;\n");
	t = run((CompileJob){.source = "#include \"image.h\"\n", .path = "lib/uses.cu"});
	assert_false(t.ok);
	assert_non_null(strstr(t.err.what, "\"nothing\" is undefined")); /* and nothing is said of the type */
	done(&t);
}

static void missing_headers_are_told(void **state) {
	Try t = source("#include \"missing.h\"\n");
	assert_false(t.ok);
	assert_non_null(strstr(t.err.what, "open source file \"missing.h\""));
	assert_non_null(strstr(t.err.hint, "next to the source"));
	done(&t);
	t = source("#include \"missing.h\"\nint main() { return 0; }\n__global__ void k(Missing m) {}\n");
	assert_false(t.ok);
	assert_string_equal(t.err.where, "a.cu:3");
	assert_non_null(strstr(t.err.hint, "\"missing.h\" (line 1) was left out"));
	done(&t);
	t = source(
		"#include <one.h>\n#include <two.h>\n__global__ void k(float3 *p) { p[0] = p[0] * 2.0f; }\nint main() {}\n");
	assert_false(t.ok);
	assert_non_null(strstr(t.err.what, "no operator"));
	assert_non_null(strstr(t.err.hint, "\"one.h\" (line 1), \"two.h\" (line 2) were left out"));
	done(&t);
}

static void the_device_runtime_is_named(void **state) {
	static const char *const sources[] = {
		"__global__ void c() {}\n__global__ void k() { c<<<1, 1>>>(); }\nint main() { k<<<1, 1>>>(); }\n",
		"__global__ void k() { int *p; cudaMalloc(&p, 4); }\nint main() { k<<<1, 1>>>(); }\n"};
	for (size_t i = 0; i < 2; i++) {
		Try t = source(sources[i]);
		assert_false(t.ok);
		assert_non_null(strstr(t.err.hint, "dynamic parallelism"));
		done(&t);
	}
}

static void host_code_is_left_out(void **state) {
	put("host/own.h", "#include <string>\nstd::string name();\nstruct Pair { int a, b; };\n");
	Try t = run((CompileJob){
		.source = "#include <stdio.h>\n#include \"own.h\"\n__global__ void k(Pair p, uint32_t *o) { *o = p.a; }\n"
				  "int main() { k<<<1, 1>>>(Pair{1, 2}, nullptr); puts(name().c_str()); }\n",
		.path = "host/a.cu"});
	if (!t.ok) fail_msg("%s", t.err.what);
	assert_non_null(compiled_linked_name(t.c, "k"));
	assert_non_null(strstr(t.c->ptx, "host/a.cu\""));
	done(&t);
	t = source("int f(int a) { return a; }\n__global__ void k(int *o) { *o = f(1); }\nint main() {}\n");
	assert_false(t.ok);
	assert_string_equal(t.err.where, "a.cu:2");
	assert_non_null(strstr(t.err.hint, "\"f\" is a host function (line 1)"));
	done(&t);
	t = source("texture<float, 1> tex;\n__global__ void k(float *o) { *o = tex1Dfetch(tex, 0); }\nint main() {}\n");
	assert_false(t.ok);
	assert_non_null(strstr(t.err.hint, "which CUDA 12 removed"));
	done(&t);
	t = source("__global__ void c() {}\n__global__ void k() { c<<<1, 1>>>(); }\n");
	assert_false(t.ok);
	assert_non_null(strstr(t.err.hint, "launch from the host"));
	done(&t);
}

static void may_include_as(bool parents, const char *text, const char *what) {
	Str source = {0};
	put("own/x.cu", text);
	str_addf(&source, "\n%s\n__global__ void k(int *p) { *p = 1; }\n", text);
	Try t = run((CompileJob){.source = source.text, .path = "own/x.cu", .parents = parents});
	if (!what && !t.ok) fail_msg("%s: %s", text, t.err.what);
	if (what && (t.ok || !strstr(t.err.what, what))) fail_msg("%s: \"%s\" lacks \"%s\"", text, t.err.what, what);
	assert_null(strstr(t.err.what, "SECRET"));
	if (what) assert_non_null(strstr(t.err.where, "own/"));
	done(&t);
	str_free(&source);
}

static void may_include(const char *text, const char *what) {
	may_include_as(false, text, what);
}

static void link_to(const char *target, const char *name) {
	unlink(name);
	assert_int_equal(symlink(target, name), 0);
}

/* More than half of what the headers may have. */
static void put_much(const char *name) {
	enum { BYTES = 9 << 20 };
	char *text = malloc(BYTES + 1);
	memset(text, '\n', BYTES);
	text[BYTES] = '\0';
	put(name, text);
	free(text);
}

/* CUDA's headers and the file's own folder; nothing else, by whatever road. */
static void includes_reach_no_further(void **state) {
	static const char outside[] = "is outside the folders that a kernel may include from";
	put("own/deep/a.h", "#include \"../b.h\"\n");
	put("own/b.h", "#define B 1\n");
	put("own/bad.h", "#include \"../secret.h\"\n");
	put("own/solutions/s.h", "SECRET\n");
	put("secret.h", "SECRET\n");
	link_to("../secret.h", "own/link.h");
	link_to("..", "own/up");
	link_to("b.h", "own/fine.h");
	link_to("/dev/zero", "own/zero.h");
	unlink("own/fifo.h");
	assert_int_equal(mkfifo("own/fifo.h", 0600), 0);
	put("own/to_huge.h", "#include \"huge.h\"\n");
	put("own/huge.h", "");
	assert_int_equal(truncate("own/huge.h", (off_t)1 << 40), 0);
	put_bytes("own/binary.h", "\0", 1);
	put_much("own/half.h");
	put_much("own/half_again.h");
	char *secret = path_in_folder("secret.h");
	Str absolute = {0}, macro = {0};
	str_addf(&absolute, "#include \"%s\"", secret);
	str_addf(&macro, "#define NAME \"%s\"\n#include NAME", secret);
	may_include("#include \"b.h\"\n#include \"deep/a.h\"\n#include \"fine.h\"\n#include <cuda_fp16.h>", NULL);
	may_include("#if 0\n#include \"fewer.h\"\n#endif", NULL);
	may_include("#include \"../secret.h\"", outside);
	may_include("#include \"deep/../../secret.h\"", outside);
	may_include("%:include <../secret.h>", outside);
	may_include("#include \"link.h\"", outside);
	may_include("#include \"up/secret.h\"", outside);
	may_include("#include \"bad.h\"", outside);
	may_include(absolute.text, outside);
	may_include("#include \"/etc/passwd\"", outside);
	may_include("#include \"solutions/s.h\"", "\"solutions/s.h\" is a solution, which cannot be included");
	may_include("#include \"fifo.h\"", "\"fifo.h\" is not a regular file");
	may_include("#include \"huge.h\"", "\"huge.h\" cannot be read: it is too large, at most 16 MB are read");
	may_include("#include \"to_huge.h\"", "\"huge.h\" cannot be read: it is too large");
	may_include("#if __has_include(\"huge.h\")\n#endif", NULL);
	may_include("#include \"binary.h\"", "\"binary.h\" holds a NUL byte: it is not text");
	may_include("#include \"half.h\"\n#include \"half_again.h\"", "the headers together have more than 16 MB");
	may_include("#include \"zero.h\"", "is not a regular file");
	may_include("#include \"/dev/zero\"", "is not a regular file");
	may_include(macro.text, ""); /* whatever is said of it */
	str_free(&absolute);
	str_free(&macro);
	free(secret);
}

/* A file that the user named: "../" leads to folders near it, and nothing else does. */
static void parents_are_reached_by_name(void **state) {
	static const char outside[] = "is outside the folders that a kernel may include from";
	put("near/a.h", "#include \"deep/b.h\"\n#include \"../near/deep/b.h\"\n");
	put("near/deep/b.h", "#define B 1\n");
	put("near/.hidden.h", "SECRET\n");
	put(".hidden/a.h", "SECRET\n");
	put("near/solutions/s.h", "SECRET\n");
	link_to("../near", "own/near");
	link_to("near", "also_near");
	link_to("deep/b.h", "near/link.h");
	may_include_as(true, "#include \"../near/a.h\"\n#ifndef B\n#error B\n#endif", NULL);
	may_include_as(true, "#include \".././near//deep/../a.h\"", NULL);
	may_include_as(true, "#include <stdio.h>\n#include \"../near/a.h\"\nint main() {}", NULL);
	may_include("#include \"../near/a.h\"", outside);
	may_include_as(true, "#include <../near/a.h>", outside);
	may_include_as(true, "#include \"near/a.h\"", outside);
	may_include_as(true, "#include \"../also_near/a.h\"", outside);
	may_include_as(true, "#include \"../near/link.h\"", outside);
	may_include_as(true, "#include \"../near/.hidden.h\"", outside);
	may_include_as(true, "#include \"../.hidden/a.h\"", outside);
	may_include_as(true, "#include \"../near/solutions/s.h\"", outside);
	may_include_as(true, "#include \"/etc/passwd\"", outside);
	may_include_as(true, "#include \"../../../../../../../../etc/passwd\"", outside);
	unlink("fifo.h");
	assert_int_equal(mkfifo("fifo.h", 0600), 0);
	may_include_as(true, "#include \"../fifo.h\"", "\"../fifo.h\" is not a regular file");
	may_include_as(true, "#define NAME \"../near/a.h\"\n#include NAME", ""); /* not known before: not granted */
}

/* The lab's own choice reaches wherever it wants. */
static void a_lab_may_include_from_anywhere(void **state) {
	put("own/x.cu", "");
	put("lab/common.h", "#define COMMON 7\n");
	put("front.h", "#define FRONT 8\n");
	char *lab = path_in_folder("lab"), *front = path_in_folder("front.h");
	Str option = {0};
	str_addf(&option, "--pre-include=%s", front);
	const char *const dirs[] = {lab, NULL}, *const options[] = {option.text, NULL};
	Try t = must((CompileJob){.source = "#include <common.h>\n__global__ void k(int *p) { *p = COMMON + FRONT; }\n",
							  .path = "own/x.cu",
							  .include_dirs = dirs,
							  .options = options});
	done(&t);
	str_free(&option);
	free(front);
	free(lab);
}

/* What an option puts in front is read before anything else. */
static void a_forced_header_is_read_with_care(void **state) {
	put("huge.h", "");
	assert_int_equal(truncate("huge.h", (off_t)1 << 40), 0);
	const char *const forms[][3] = {
		{"--pre-include=huge.h", NULL}, {"-include", "huge.h", NULL}, {"-include=/dev/zero", NULL}};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		Try t = run((CompileJob){.source = "__global__ void k() {}\n", .path = "own/x.cu", .options = forms[i]});
		if (t.ok || !text_starts(t.err.what, "own/x.cu: error: \"")) fail_msg("%s: %s", forms[i][0], t.err.what);
		done(&t);
	}
}

static void errors_in_headers_name_them(void **state) {
	put("lib/bad.h", "__device__ int x = ;\n");
	put("lib/uses.cu", "");
	Try t = run((CompileJob){.source = "#include \"bad.h\"\n", .path = "lib/uses.cu"});
	assert_false(t.ok);
	assert_string_equal(t.err.where, "lib/bad.h:1");
	done(&t);
}

static Try from_cache(const char *text, const char *option, uint32_t cc, bool wanted) {
	const char *const options[] = {option, NULL};
	Try t = must((CompileJob){.source = text, .options = option ? options : NULL, .cc = cc});
	assert_int_equal(t.c->from_cache, wanted);
	return t;
}

static void the_second_compile_is_free(void **state) {
	empty_cache();
	Try a = from_cache(kernels, NULL, 90, false), b = from_cache(kernels, NULL, 90, true);
	assert_string_equal(a.c->key, b.c->key);
	assert_string_equal(a.c->ptx, b.c->ptx);
	assert_int_equal(a.c->cubin_bytes, b.c->cubin_bytes);
	assert_memory_equal(a.c->cubin, b.c->cubin, a.c->cubin_bytes);
	assert_int_equal(a.c->nnames, b.c->nnames);
	for (size_t i = 0; i < a.c->nnames; i++) {
		assert_string_equal(a.c->names[i].name, b.c->names[i].name);
		assert_string_equal(a.c->names[i].linked, b.c->names[i].linked);
	}
	assert_true(b.c->milliseconds == 0);
	assert_int_equal(b.c->cc, 90);
	done(&a);
	done(&b);
}

static void any_difference_compiles_anew(void **state) {
	empty_cache();
	put("h.h", "#define H 1\n");
	const char *text = "#include \"h.h\"\n__global__ void k(int *p) { *p = H; }\n";
	const char *const names[] = {"k", NULL};
	Try t = from_cache(text, NULL, 90, false);
	done(&t);
	t = from_cache(text, "-DX=1", 90, false);
	done(&t);
	t = from_cache(text, "-DX=2", 90, false);
	done(&t);
	t = from_cache(text, NULL, 80, false);
	done(&t);
	t = run((CompileJob){.source = text, .names = names});
	assert_true(t.ok && !t.c->from_cache);
	done(&t);
	t = run((CompileJob){.source = text, .path = "b.cu"});
	assert_true(t.ok && !t.c->from_cache);
	done(&t);
	t = from_cache("#include \"h.h\"\n__global__ void k(int *p) { *p = H ; }\n", NULL, 90, false);
	done(&t);
	put("h.h", "#define H 2\n");
	t = from_cache(text, NULL, 90, false);
	done(&t);
	t = from_cache(text, NULL, 90, true);
	done(&t);
	put("h.h", "#define H 1\n"); /* as it was: the old result serves again */
	t = from_cache(text, NULL, 90, true);
	done(&t);
}

static void a_new_header_in_front_counts(void **state) {
	empty_cache();
	put("first/other.h", "");
	put("second/which.h", "#define WHICH 2\n");
	const char *const dirs[] = {"first", "second", NULL};
	CompileJob job = {.source = "#include <which.h>\n__global__ void k(int *p) { *p = WHICH; }\n",
					  .include_dirs = dirs};
	Try t = must(job);
	done(&t);
	put("first/which.h", "#define WHICH 1\n");
	t = must(job);
	assert_false(t.c->from_cache);
	done(&t);
}

static void forced_headers_count(void **state) {
	empty_cache();
	put("forced.h", "#define FORCED 1\n");
	const char *const options[] = {"--pre-include=forced.h", NULL};
	CompileJob job = {.source = "__global__ void k(int *p) { *p = FORCED; }\n", .options = options};
	Try t = must(job);
	done(&t);
	put("forced.h", "#define FORCED 2\n");
	t = must(job);
	assert_false(t.c->from_cache);
	done(&t);
}

static void unknown_headers_are_not_kept(void **state) {
	empty_cache();
	put("h.h", "#define H 1\n");
	for (int round = 0; round < 2; round++) {
		Try t =
			from_cache("#define NAME \"h.h\"\n#include NAME\n__global__ void k(int *p) { *p = H; }\n", NULL, 90, false);
		done(&t);
	}
	assert_int_equal(cached_results(), 0);
}

static void spoil(const char *path) {
	assert_int_equal(truncate(path, 100), 0);
}

static void spoilt_results_are_replaced(void **state) {
	empty_cache();
	Try t = from_cache(kernels, NULL, 90, false);
	done(&t);
	each_cached(spoil);
	t = from_cache(kernels, NULL, 90, false);
	done(&t);
	t = from_cache(kernels, NULL, 90, true);
	done(&t);
}

static void failures_are_not_kept(void **state) {
	empty_cache();
	Try t = source("nonsense");
	assert_false(t.ok);
	done(&t);
	assert_int_equal(cached_results(), 0);
}

static void takes_the_nearest_architecture(void **state) {
	Try t = must((CompileJob){.source = kernels, .cc = 13});
	assert_true(t.c->cc >= 50 && t.c->cc <= 75); /* the least there is: 75 with CUDA 13, 50 with 12 */
	done(&t);
	t = must((CompileJob){.source = kernels, .cc = 91});
	assert_int_equal(t.c->cc, 90);
	done(&t);
	t = must((CompileJob){.source = kernels, .cc = 4000000000u});
	assert_true(t.c->cc >= 120);
	done(&t);
}

static void options_cannot_choose_the_architecture(void **state) {
	const char *const options[] = {"-arch=sm_80", NULL};
	Try t = run((CompileJob){.source = kernels, .options = options});
	assert_false(t.ok);
	assert_int_equal(t.err.kind, ERR_USAGE);
	done(&t);
}

static void bad_options_are_told(void **state) {
	const char *const options[] = {"--no-such-option", NULL};
	Try t = run((CompileJob){.source = kernels, .options = options});
	assert_false(t.ok);
	assert_int_equal(t.err.kind, ERR_COMPILE);
	assert_non_null(strstr(t.err.what, "--no-such-option"));
	done(&t);
}

static void another_dialect_may_be_asked_for(void **state) {
	const char *const options[] = {"-std=c++20", NULL};
	const char *text = "template <class T> concept Any = true;\n__global__ void k() {}\n";
	Try t = must((CompileJob){.source = text, .options = options});
	done(&t);
	t = source(text);
	assert_false(t.ok);
	done(&t);
}

static void byte_order_marks_are_no_part_of_the_text(void **state) {
	Try t = must((CompileJob){.source = "\xef\xbb\xbf#define N 3\n__global__ void k(int *p) { *p = N; }\n"});
	done(&t);
	t = source("\xef\xbb\xbf__global__ void k() { x; }\n");
	assert_false(t.ok);
	assert_int_equal(t.diags.data[0].column, 23);
	done(&t);
}

static void hostile_sources_end_in_messages(void **state) {
	static const char nul[] = "__global__ void k() {}\n\n\0 more";
	Try t = run((CompileJob){.source = nul, .source_bytes = sizeof nul - 1});
	assert_false(t.ok);
	assert_string_equal(t.err.where, "a.cu:3");
	assert_non_null(strstr(t.err.what, "NUL"));
	assert_non_null(strstr(t.err.hint, "UTF-8"));
	done(&t);

	char garbage[4097];
	unsigned seed = 1;
	for (size_t i = 0; i < sizeof garbage - 1; i++) {
		seed = seed * 1103515245u + 12345u;
		garbage[i] = (char)((seed >> 16) % 255 + 1);
	}
	garbage[sizeof garbage - 1] = '\0';
	t = source(garbage);
	assert_false(t.ok);
	assert_int_equal(t.err.kind, ERR_COMPILE);
	assert_true(strlen(t.err.what) > 0);
	done(&t);

	put("self.cu", "#include \"self.cu\"\n");
	t = run((CompileJob){.source = "#include \"self.cu\"\n", .path = "self.cu"});
	assert_false(t.ok);
	assert_int_equal(t.err.kind, ERR_COMPILE);
	done(&t);
}

static void endless_lines_are_cut(void **state) {
	Str line = {0};
	str_add(&line, "__global__ void k(int *p) { *p = ");
	while (line.len < 1000000) str_add(&line, "1 + ");
	str_add(&line, "undefined; }");
	Try t = source(line.text);
	assert_false(t.ok);
	assert_int_equal(t.err.kind, ERR_COMPILE);
	assert_true(strlen(t.err.what) < sizeof t.err.what - 1);
	assert_non_null(strchr(t.err.what, '^'));
	done(&t);
	str_free(&line);
}

static void unreadable_headers_are_told(void **state) {
	put("loop/x.cu", "");
	assert_int_equal(mkdir("loop/folder.h", 0777), 0);
	Try t = run((CompileJob){.source = "#include \"folder.h\"\n__global__ void k() {}\n", .path = "loop/x.cu"});
	assert_false(t.ok);
	assert_int_equal(t.err.kind, ERR_COMPILE);
	assert_non_null(strstr(t.err.what, "folder.h"));
	done(&t);
}

static void an_empty_source_is_fine(void **state) {
	Try t = must((CompileJob){.source = ""});
	assert_int_equal(t.c->nnames, 0);
	done(&t);
}

int main(int argc, char **argv) {
	compile_worker_if_asked(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_cubin_and_ptx),
		cmocka_unit_test(an_emulator_needs_no_cubin),
		cmocka_unit_test(names_its_file),
		cmocka_unit_test(reaches_every_kernel),
		cmocka_unit_test(instantiates_templates),
		cmocka_unit_test(explains_bad_names),
		cmocka_unit_test(functions_are_no_kernels),
		cmocka_unit_test(looks_up_names),
		cmocka_unit_test(points_at_a_missing_semicolon),
		cmocka_unit_test(tells_all_errors),
		cmocka_unit_test(errors_come_before_bad_names),
		cmocka_unit_test(explains_instantiations),
		cmocka_unit_test(keeps_warnings),
		cmocka_unit_test(places_what_ptxas_says),
		cmocka_unit_test(cuda_headers_compile),
		cmocka_unit_test(headers_are_found),
		cmocka_unit_test(what_hides_in_a_header_compiles),
		cmocka_unit_test(nothing_but_what_is_asked_for),
		cmocka_unit_test(missing_headers_are_told),
		cmocka_unit_test(the_device_runtime_is_named),
		cmocka_unit_test(host_code_is_left_out),
		cmocka_unit_test(includes_reach_no_further),
		cmocka_unit_test(parents_are_reached_by_name),
		cmocka_unit_test(a_lab_may_include_from_anywhere),
		cmocka_unit_test(a_forced_header_is_read_with_care),
		cmocka_unit_test(errors_in_headers_name_them),
		cmocka_unit_test(the_second_compile_is_free),
		cmocka_unit_test(any_difference_compiles_anew),
		cmocka_unit_test(a_new_header_in_front_counts),
		cmocka_unit_test(forced_headers_count),
		cmocka_unit_test(unknown_headers_are_not_kept),
		cmocka_unit_test(spoilt_results_are_replaced),
		cmocka_unit_test(failures_are_not_kept),
		cmocka_unit_test(takes_the_nearest_architecture),
		cmocka_unit_test(options_cannot_choose_the_architecture),
		cmocka_unit_test(bad_options_are_told),
		cmocka_unit_test(another_dialect_may_be_asked_for),
		cmocka_unit_test(byte_order_marks_are_no_part_of_the_text),
		cmocka_unit_test(hostile_sources_end_in_messages),
		cmocka_unit_test(endless_lines_are_cut),
		cmocka_unit_test(unreadable_headers_are_told),
		cmocka_unit_test(an_empty_source_is_fine),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("compile", tests, folder_make, folder_remove);
}
