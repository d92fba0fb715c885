/* docs/ir.md is executed: every example of it is a well-formed program, and it explains every opcode. */
#include "test_ir_util.h"

static const char fence[] = "\n```ir\n";

static void examples_are_programs(void **state)
{
    (void)state;
    Str text = read_source("docs/ir.md");
    unsigned examples = 0;
    for (const char *at = text.v; (at = strstr(at, fence)) != NULL; examples++) {
        at += strlen(fence);
        const char *end = strstr(at, "\n```\n");
        assert_non_null(end);
        ir_program_free(must_round_trip(at, (size_t)(end + 1 - at)));
        at = end;
    }
    assert_true(examples >= 6);
    str_free(&text);
}

static void every_opcode_is_explained(void **state)
{
    (void)state;
    Str text = read_source("docs/ir.md");
    for (unsigned op = 0; op < IR_OP_COUNT; op++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "`%s`", ir_op_text((IrOp)op));
        if (!strstr(text.v, quoted))
            fail_msg("docs/ir.md does not explain %s", quoted);
    }
    str_free(&text);
}

/* A row "| `op` | `form` |" states the form of op.def. */
static void forms_are_those_of_the_table(void **state)
{
    (void)state;
    Str text = read_source("docs/ir.md");
    for (unsigned op = BITS_COUNT; op < IR_OP_COUNT; op++) {
        char row[64];
        const char *form = ir_op_form((IrOp)op);
        snprintf(row, sizeof row, *form ? "\n| `%s` | `%s` |" : "\n| `%s` | |", ir_op_text((IrOp)op), form);
        if (!strstr(text.v, row))
            fail_msg("docs/ir.md has no row %s", row + 1);
    }
    str_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_programs),
        cmocka_unit_test(every_opcode_is_explained),
        cmocka_unit_test(forms_are_those_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
