/* print.c - one line for debugging and golden tests: (add x 0x5:8). Iterative, since a chain may be a million
 * deep; what lies beyond the limit of characters is "...". */
#include "expr/expr_int.h"

enum { DEFAULT_LIMIT = 2000 };

typedef struct Pending {
    Expr e; /* EXPR_NONE: only the text */
    const char *text;
} Pending;

static void print_head(const ExprPool *p, Expr e, Str *out)
{
    uint32_t offset;
    switch (op_of(p, e)) {
    case EXPR_CONST: {
        u128 v = value_of(p, e);
        if (v >> 64)
            str_printf(out, "0x%llx%016llx:%u", (unsigned long long)(v >> 64), (unsigned long long)v,
                       width_of(p, e));
        else
            str_printf(out, "0x%llx:%u", (unsigned long long)v, width_of(p, e));
        break;
    }
    case EXPR_SYMBOL: {
        const ExprObjectInfo *info = expr_object_info(p, expr_symbol_object(p, e, &offset));
        str_add(out, info->name);
        if (!info->scalar)
            str_printf(out, "[%u]", offset);
        break;
    }
    case EXPR_ARRAY_INPUT:
        str_add(out, expr_object_info(p, expr_array_object(p, (ExprArray){e.id}))->name);
        break;
    case EXPR_ARRAY_CONST: str_printf(out, "bytes:%u", expr_array_size(p, (ExprArray){e.id})); break;
    case EXPR_EXTRACT: str_printf(out, "(extract:%u+%u", low_of(p, e), width_of(p, e)); break;
    case EXPR_APPLY: str_printf(out, "(%s", expr_fn_name(p, expr_apply_fn(p, e))); break;
    case EXPR_ZEXT:
    case EXPR_SEXT: str_printf(out, "(%s:%u", expr_op_text(op_of(p, e)), width_of(p, e)); break;
    default:
        str_printf(out, "(%s", expr_op_text(op_of(p, e)));
        if (op_of(p, e) >= EXPR_FCAST)
            str_printf(out, ":%u", width_of(p, e));
    }
}

void expr_print(const ExprPool *p, Expr e, uint32_t limit, Str *out)
{
    Vec(Pending) stack = {0};
    uint32_t start = out->n;
    limit = limit ? limit : DEFAULT_LIMIT;
    vec_push(&stack, (Pending){e, ""});
    while (stack.n) {
        Pending top = vec_pop(&stack);
        if (out->n - start > limit) {
            str_add(out, "...");
            break;
        }
        str_add(out, top.text);
        if (expr_is_none(top.e))
            continue;
        print_head(p, top.e, out);
        uint32_t n = expr_child_count(p, top.e);
        if (n || is(p, top.e, EXPR_APPLY))
            vec_push(&stack, (Pending){EXPR_NONE, ")"});
        for (uint32_t i = n; i-- > 0;)
            vec_push(&stack, (Pending){expr_child(p, top.e, i), " "});
    }
    vec_free(&stack);
}
