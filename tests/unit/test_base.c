/* test_base.c - the module base. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/base.h"

static void vec_pushes(void **state)
{
    (void)state;
    U32Vec v = {0};
    for (uint32_t i = 0; i < 1000; i++)
        vec_push(&v, i * 3);
    assert_int_equal(v.n, 1000);
    assert_int_equal(v.v[999], 2997);
    vec_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vec_pushes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
