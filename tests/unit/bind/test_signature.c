/* signature.h: kernels' parameters read from linked names; the names are g++'s and NVRTC's for the signatures beside
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bind/values/signature.h"

static void reads(const char *linked, const char *wanted) {
	ParamType types[16];
	char text[512] = "";
	size_t n = signature_read(linked, types, 16);
	for (size_t i = 0; i < n; i++) {
		char name[32];
		signature_name(&types[i], name, sizeof name);
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
	assert_int_equal(signature_read("_Z1fiii", types, 3), 3);
	assert_int_equal(signature_read("_Z1fiiii", types, 3), 0);
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
			assert_true(signature_read(damaged, types, 16) <= 16);
			damaged[cut] = '\0';
			assert_true(signature_read(damaged, types, 16) <= 16);
		}
}

int main(void) {
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_functions),        cmocka_unit_test(test_templates),
		cmocka_unit_test(test_classes_and_namespaces), cmocka_unit_test(test_what_is_not_understood_is_left_alone),
		cmocka_unit_test(test_never_more_than_fits),   cmocka_unit_test(test_damaged_names_end)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
