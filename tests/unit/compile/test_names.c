/* Kernel names: compared, guessed. */
#include "folder.h"

#include <stdlib.h>
#include <string.h>

#include "compile/names.h"

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
		cmocka_unit_test(blanks_do_not_matter),
		cmocka_unit_test(guesses),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
