/* Quantiles and the stopping rule against values worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "measure/measure.h"

static void quantiles_lie_between_ranks(void **state) {
	const double five[] = {1, 2, 3, 4, 10}, four[] = {1, 2, 3, 4}, two[] = {1, 3}, one[] = {7};
	assert_float_equal(quantile(five, 5, 0.5), 3, 0);
	assert_float_equal(quantile(five, 5, 0.25), 2, 0);
	assert_float_equal(quantile(five, 5, 0.75), 4, 0);
	assert_float_equal(quantile(five, 5, 1), 10, 0);
	assert_float_equal(quantile(five, 5, 0), 1, 0);
	assert_float_equal(quantile(four, 4, 0.5), 2.5, 1e-15);
	assert_float_equal(quantile(four, 4, 0.25), 1.75, 1e-15);
	assert_float_equal(quantile(four, 4, 0.75), 3.25, 1e-15);
	assert_float_equal(quantile(two, 2, 0.25), 1.5, 1e-15);
	assert_float_equal(quantile(one, 1, 0.25), 7, 0);
	assert_float_equal(quantile(one, 1, 1), 7, 0);
}

static StopRule started(void) {
	StopRule rule = {.wall_cap_s = 10, .min_samples = 4, .max_samples = 100, .relative_spread = 0.1};
	stop_rule_start(&rule);
	return rule;
}

static void calm_samples_are_soon_enough(void **state) {
	const double calm[] = {1, 1, 1.01, 1.02};
	StopRule rule = started();
	assert_false(stop_rule_enough(&rule, calm, 0, rule.started_s));
	assert_false(stop_rule_enough(&rule, calm, 3, rule.started_s)); /* fewer than the least number */
	assert_true(stop_rule_enough(&rule, calm, 4, rule.started_s));
	rule = started();
	rule.wall_least_s = 0.1;
	assert_false(stop_rule_enough(&rule, calm, 4, rule.started_s + 0.09));
	assert_true(stop_rule_enough(&rule, calm, 4, rule.started_s + 0.11));
}

static void wild_samples_go_on_until_more_do_not_help(void **state) {
	StopRule rule = started();
	uint32_t n = 0;
	bool enough = false;
	while (!enough && n < 100) {
		double sorted[100];
		n += 4;
		for (uint32_t i = 0; i < n; i++) sorted[i] = i < n / 2 ? 1 : 2; /* half and half */
		enough = stop_rule_enough(&rule, sorted, n, rule.started_s);
	}
	assert_true(n >= 40 && n <= 60);
}

static void the_caps_hold(void **state) {
	double wild[100];
	for (int i = 0; i < 100; i++) wild[i] = 1 + i;
	StopRule rule = started();
	assert_false(stop_rule_enough(&rule, wild, 10, rule.started_s + 9.9));
	assert_true(stop_rule_enough(&rule, wild, 10, rule.started_s + 10));
	rule = started();
	assert_true(stop_rule_enough(&rule, wild, 1, rule.started_s + 11)); /* the clock beats the least number */
	rule = started();
	assert_true(stop_rule_enough(&rule, wild, 100, rule.started_s));
}

static void a_spread_that_falls_is_waited_for(void **state) {
	StopRule rule = started();
	for (uint32_t n = 4; n <= 96; n += 4) {
		double sorted[96];
		for (uint32_t i = 0; i < n; i++)
			sorted[i] = 1 + 2.0 * i / (n - 1) * (1 - n / 200.0); /* ever closer, never close */
		assert_false(stop_rule_enough(&rule, sorted, n, rule.started_s));
	}
}

/* Half the samples low, half high: the spread stays, and so does the doubt where the middle is. */
static void a_median_not_yet_known_is_waited_for(void **state) {
	double sorted[400];
	for (int i = 0; i < 400; i++) sorted[i] = 100 + 0.02 * i; /* a wide middle half */
	StopRule rule = started();
	rule.max_samples = 1000;
	rule.relative_spread = 1; /* content with any spread */
	rule.relative_error = 0.0001;
	assert_false(stop_rule_enough(&rule, sorted, 400, rule.started_s));
	rule.relative_error = 0.01;
	assert_true(stop_rule_enough(&rule, sorted, 400, rule.started_s));
	rule.relative_error = 0.0001;
	assert_true(stop_rule_enough(&rule, sorted, 400, rule.started_s + 11)); /* the clock beats it */
	rule.relative_error = 1;
	assert_false(stop_rule_enough(&rule, sorted, 3, rule.started_s)); /* three bound nothing */
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_lie_between_ranks),
		cmocka_unit_test(calm_samples_are_soon_enough),
		cmocka_unit_test(wild_samples_go_on_until_more_do_not_help),
		cmocka_unit_test(the_caps_hold),
		cmocka_unit_test(a_spread_that_falls_is_waited_for),
		cmocka_unit_test(a_median_not_yet_known_is_waited_for),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
