/* Kernel names: linked, plain, listed, guessed. */
#include "folder.h"

#include <stdlib.h>
#include <string.h>

#include "compile/names.h"

static void expect_plain(const char *linked, const char *wanted) {
	char *got = name_plain(linked);
	if (wanted) {
		assert_non_null(got);
		assert_string_equal(got, wanted);
	} else {
		assert_null(got);
	}
	free(got);
}

static void reads_linked_names(void **state) {
	expect_plain("plain", "plain");
	expect_plain("_Z4copyPfPKf", "copy");
	expect_plain("_ZN3foo5innerEPf", "foo::inner");
	expect_plain("_Z4tileILi33EEvPf", "tile");
	expect_plain("_ZN3foo2itIfEEvPT_", "foo::it");
	expect_plain("_ZL4statPf", "stat");
	expect_plain("_ZN36_GLOBAL__N__00000000_4_a_cu_ed0a8bf34anonEPf", "anon");
	expect_plain("_ZN12_GLOBAL__N_11kEv", "k");
}

static void refuses_broken_names(void **state) {
	expect_plain("_Z", NULL);
	expect_plain("_ZN", NULL);
	expect_plain("_Z0f", NULL);
	expect_plain("_Z99short", NULL);
	expect_plain("_Z99999999999999999999999999f", NULL);
	expect_plain("_Z-4copy", NULL);
	expect_plain("", "");
}

static void knows_instances(void **state) {
	assert_true(name_is_template_instance("_Z4tileILi33EEvPf"));
	assert_true(name_is_template_instance("_ZN3foo2itIfEEvPT_"));
	assert_false(name_is_template_instance("_Z4copyPfPKf"));
	assert_false(name_is_template_instance("_ZN3foo5innerEPf"));
	assert_false(name_is_template_instance("I"));
	assert_false(name_is_template_instance("_Z"));
}

static void lists_entries(void **state) {
	char **names;
	Arena *arena = arena_new();
	size_t n = names_entries(
		arena, ".version 9.0\n.visible .entry _Z1aPf(\n.param)\n.weak .entry\t_Z1bILi1EEvv()\n.entry c\n.entryway\n",
		&names);
	assert_int_equal(n, 3);
	assert_string_equal(names[0], "_Z1aPf");
	assert_string_equal(names[1], "_Z1bILi1EEvv");
	assert_string_equal(names[2], "c");
	assert_int_equal(names_entries(arena, "", &names), 0);
	arena_free(arena);
}

static void blanks_do_not_matter(void **state) {
	assert_true(names_equal("tile<33>", " tile < 33 > "));
	assert_true(names_equal("", " "));
	assert_false(names_equal("tile<33>", "tile<3>"));
	assert_false(names_equal("tile", "tile<"));
}

static void guesses(void **state) {
	const char *const there[] = {"copy", "transpose", "foo::inner", "tile<int N>"};
	assert_string_equal(names_closest("cpoy", there, 4), "copy");
	assert_string_equal(names_closest("Transpos", there, 4), "transpose");
	assert_string_equal(names_closest("tiel<32>", there, 4), "tile<int N>");
	assert_null(names_closest("reduce", there, 4));
	assert_null(names_closest("copy", there, 0));
	char *huge = malloc(100001);
	memset(huge, 'x', 100000);
	huge[100000] = '\0';
	assert_null(names_closest(huge, there, 4));
	free(huge);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_linked_names), cmocka_unit_test(refuses_broken_names), cmocka_unit_test(knows_instances),
		cmocka_unit_test(lists_entries),      cmocka_unit_test(blanks_do_not_matter), cmocka_unit_test(guesses),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
