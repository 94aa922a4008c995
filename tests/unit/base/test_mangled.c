/* mangled.h: what linked names say; the names are g++'s and NVRTC's for what is next to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text/mangled.h"

static void reads(const char *linked, const char *wanted) {
	ParamType types[16];
	char text[512] = "";
	size_t n = mangled_parameters(linked, types, 16);
	for (size_t i = 0; i < n; i++) {
		char name[32];
		param_name(&types[i], name, sizeof name);
		size_t used = strlen(text);
		snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", *name ? name : "?");
	}
	assert_string_equal(text, wanted);
}

static void test_plain_functions(void **state) {
	(void)state;
	reads("_Z4copyPfS_iPKfS1_",
		  "float* float* int float* float*"); /* float*, float*, int, const float*, const float* */
	reads("_Z5storePxbcsixfdmPhPvPVKi",
		  "long long* bool char short int long long float double unsigned long long unsigned char* a pointer int*");
	reads("_ZL2stPi", "int*");
	reads("_Z4nonev", "");
	reads("_Z4rowsPPfPKPKiPPP4PairPPv", "float** int** Pair*** a pointer");
}

static void test_templates(void **state) {
	(void)state;
	reads("_Z4tileILi33EEvPfPKfi", "float* float* int");
	reads("_Z4tileILin1EEvPfPKfi", "float* float* int");
	reads("_Z3redIfEvPT_PKS0_S0_jS1_", "float* float* float unsigned float*"); /* T*, const T*, T, unsigned, T* */
	reads("_Z4red2IdLi4ELb1EEvPKT_PS0_i", "double* double* int");
}

static void test_classes_and_namespaces(void **state) {
	(void)state;
	reads("_Z1pPi4PairPS0_N2ns1WIiEEPNS3_IfEES4_S_PS_PKS_RfRKS0_S1_",
		  "int* Pair Pair* ? a pointer ? int* int** int** ? ? Pair*");
	reads("_ZN2ns5innerEPfNS_1QEPS1_S0_", "float* Q Q* float*");
	reads("_ZN2ns3tinILi3EEEvPfPiPKiS1_", "float* int* int* float*");
}

static void test_what_is_not_understood_is_left_alone(void **state) {
	(void)state;
	static const char *const names[] = {"",
										"f",
										"_Z",
										"_ZN",
										"_Z99f",
										"_Z1fS_",
										"_Z1fS9_",
										"_Z1fNNNN",
										"_Z1fIJ",
										"_Z1fILi",
										"_Z1fSZZZZZZZZZZZZ_",
										"_Z1fi ",
										"_Z2fnPFifEPi",
										"_Z3vecPDv4_fPf",
										"_Z1fA3_i",
										"_Z1fIXT_EEvi",
										"_Z1fT",
										"_Z1fS",
										"_Z1fP",
										"_Z3varIJiPfS0_EEvDpT_",
										"_Z18446744073709551617fi",
										"_Z1fILi3",
										"_Z1fIL_Z1gEEvi"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) reads(names[i], "");
	char deep[5000] = "_Z1f";
	memset(deep + 4, 'P', sizeof deep - 6);
	deep[sizeof deep - 2] = 'i';
	reads(deep, "");
}

static void test_never_more_than_fits(void **state) {
	(void)state;
	ParamType types[3];
	assert_int_equal(mangled_parameters("_Z1fiii", types, 3), 3);
	assert_int_equal(mangled_parameters("_Z1fiiii", types, 3), 0);
}

/* Every prefix and every changed letter of a name ends somewhere. */
static void test_damaged_names_end(void **state) {
	(void)state;
	static const char name[] = "_ZN2ns3tinILi3EEEvPfPiPKiS1_N2ns1WIiEES3_";
	ParamType types[16];
	for (size_t cut = 0; cut < sizeof name - 1; cut++)
		for (int c = 1; c < 128; c++) {
			char damaged[sizeof name];
			memcpy(damaged, name, sizeof name);
			damaged[cut] = (char)c;
			assert_true(mangled_parameters(damaged, types, 16) <= 16);
			damaged[cut] = '\0';
			assert_true(mangled_parameters(damaged, types, 16) <= 16);
		}
}

static void expect_plain(const char *linked, const char *wanted) {
	char *got = mangled_plain(linked);
	assert_string_equal(got ? got : "(none)", wanted ? wanted : "(none)");
	free(got);
}

static void test_plain_names(void **state) {
	(void)state;
	expect_plain("plain", "plain");
	expect_plain("", "");
	expect_plain("_Z4copyPfPKf", "copy");
	expect_plain("_ZN3foo5innerEPf", "foo::inner");
	expect_plain("_Z4tileILi33EEvPf", "tile");
	expect_plain("_ZN3foo2itIfEEvPT_", "foo::it");
	expect_plain("_ZL4statPf", "stat");
	expect_plain("_ZN36_GLOBAL__N__00000000_4_a_cu_ed0a8bf34anonEPf", "anon");
	expect_plain("_ZN12_GLOBAL__N_11kEv", "k");
	static const char *const broken[] = {"_Z", "_ZN", "_Z0f", "_Z99short", "_Z99999999999999999999999999f", "_Z-4copy"};
	char name[8];
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		expect_plain(broken[i], NULL);
		mangled_function(broken[i], name, sizeof name);
		assert_memory_equal(name, broken[i], strlen(name));
	}
	mangled_function("_ZN3foo2itIfEEvPT_", name, sizeof name);
	assert_string_equal(name, "foo::it");
}

static void test_variables(void **state) {
	(void)state;
	static const char *const pairs[][2] = {{"_ZZ4tilePfE1s", "s"},
										   {"_ZZ6reducePfS_iE4sdat", "sdat"},
										   {"_ZZ4tileILi33EEvPfPKfiE4tile", "tile"},
										   {"_ZZ1kPiE4part_0", "part"},
										   {"_ZZ1kPiE5tmp1x", "tmp1x"},
										   {"_ZZ1kILi3EEvPiE6BASE1x", "BASE1x"},
										   {"_ZN3foo5tableE", "table"},
										   {"_ZL5table", "table"},
										   {"_ZN3lab5tableILi4EEE", "table"},
										   {"plain", "plain"},
										   {"_Z", "_Z"},
										   {"_ZZ99x", "_ZZ99x"},
										   {"", ""}};
	char name[16];
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		mangled_variable(pairs[i][0], name, sizeof name);
		assert_string_equal(name, pairs[i][1]);
	}
	mangled_variable("_ZZ1kE20abcdefghijklmnopqrst", name, sizeof name);
	assert_string_equal(name, "abcdefghijklmno"); /* cut to its room */
}

static void test_instances(void **state) {
	(void)state;
	assert_true(mangled_is_instance("_Z4tileILi33EEvPf"));
	assert_true(mangled_is_instance("_ZN3foo2itIfEEvPT_"));
	assert_false(mangled_is_instance("_Z4copyPfPKf"));
	assert_false(mangled_is_instance("_ZN3foo5innerEPf"));
	assert_false(mangled_is_instance("_Z1fN3foo1WIiEE")); /* of its parameter's class only */
	assert_false(mangled_is_instance("I"));
	assert_false(mangled_is_instance("_Z"));
	assert_true(mangled_is_named("_Z4maskIfE", "mask<float>"));
	assert_true(mangled_is_named("_ZN3lab5tableILi4ELb1EEE", "lab::table< 4, true >"));
	assert_true(mangled_is_named("_ZN3lab5tableILi4ELb1EEE", "table<4,true>"));
	assert_true(mangled_is_named("_Z1mIPjLin2EE", "m<uint32_t *, -2>"));
	assert_false(mangled_is_named("_ZN3lab5tableILi4ELb1EEE", "b::table<4, true>"));
	assert_false(mangled_is_named("_ZN3lab5tableILi4ELb1EEE", "able<4, true>"));
	assert_false(mangled_is_named("_ZN3lab5tableILi4ELb1EEE", "table<4>"));
	assert_false(mangled_is_named("_ZN3lab5tableILi4ELb1EEE", "table<4, true, 1>"));
	assert_false(mangled_is_named("_Z4maskIfE", "mask<>"));
	assert_false(mangled_is_named("_Z4mask", "mask"));
}

static void test_arguments(void **state) {
	(void)state;
	Str s = {0};
	assert_int_equal(mangled_arguments("_Z1kILi33EfL5Colorn2ELb1E4PairPmEvT0_", &s), 6);
	static const char wanted[] = "33\0float\0-2\0true\0Pair\0unsigned long long*";
	assert_int_equal(s.len, sizeof wanted);
	assert_memory_equal(s.text, wanted, sizeof wanted);
	str_clear(&s);
	assert_int_equal(mangled_arguments("_Z1kILi33EXT_Lj1EEvv", &s), 1); /* what comes behind is not known */
	assert_int_equal(mangled_arguments("_Z1kv", &s), 0);
	assert_int_equal(mangled_arguments("k", &s), 0);
	str_free(&s);
}

int main(void) {
	static const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain_functions),
											  cmocka_unit_test(test_templates),
											  cmocka_unit_test(test_classes_and_namespaces),
											  cmocka_unit_test(test_plain_names),
											  cmocka_unit_test(test_variables),
											  cmocka_unit_test(test_instances),
											  cmocka_unit_test(test_arguments),
											  cmocka_unit_test(test_what_is_not_understood_is_left_alone),
											  cmocka_unit_test(test_never_more_than_fits),
											  cmocka_unit_test(test_damaged_names_end)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
