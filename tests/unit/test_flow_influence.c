/* test_flow_influence.c - which decisions interact: independent parts, loops, helpers, the closure, sinks,
 * budgets. */
#include "test_flow_util.h"

#include <sys/resource.h>

/* n parts: if (in[i] > 3) v = 1 else v = 2; check v != 3. Branch of part i on line 2i + 1, its check on 2i
 * + 2. */
static Case independent(uint32_t n, bool calls)
{
    Str text = {0};
    str_add(&text, "fn @input() -> 32\n");
    if (calls)
        str_add(&text, "fn @part(%x:32) {\n^e:\n %c = slt.32 3, %x\n br %c, ^a, ^b !100\n^a:\n jmp ^j\n^b:\n "
                       "jmp ^j\n^j:\n"
                       " %v = phi.32 ^a: 1, ^b: 2\n %k = ne.32 %v, 3\n br %k, ^ok, ^bad !101\n^bad:\n "
                       "trap\n^ok:\n ret\n}\n");
    str_add(&text, "fn @main() -> 32 {\n^s0:\n");
    for (uint32_t i = 0; i < n; i++) {
        str_printf(&text, " %%x%u:32 = call @input()\n", i);
        if (calls)
            str_printf(&text, " call @part(%%x%u) !%u\n", i, i + 1);
        else
            str_printf(&text,
                       " %%c%u = slt.32 3, %%x%u\n br %%c%u, ^a%u, ^b%u !%u\n^a%u:\n jmp ^j%u\n^b%u:\n jmp "
                       "^j%u\n^j%u:\n"
                       " %%v%u = phi.32 ^a%u: 1, ^b%u: 2\n %%k%u = ne.32 %%v%u, 3\n br %%k%u, ^s%u, ^bad%u "
                       "!%u\n^bad%u:\n trap\n^s%u:\n",
                       i, i, i, i, i, 2 * i + 1, i, i, i, i, i, i, i, i, i, i, i, i + 1, i, 2 * i + 2, i,
                       i + 1);
    }
    str_add(&text, " ret 0:32\n}\n");
    Case c = open_case(str_text(&text));
    str_free(&text);
    return c;
}

static void parts_that_share_nothing(void **state)
{
    (void)state;
    Case c = independent(30, false);
    for (uint32_t i = 0; i < 30; i++)
        for (uint32_t k = i; k < 30; k++) {
            uint32_t a = branch_on(&c, 2 * i + 1, 0, 0), b = branch_on(&c, 2 * k + 1, 0, 0),
                     check = branch_on(&c, 2 * k + 2, 0, 0);
            assert_int_equal(flow_interact(c.in, a, check, FLOW_SAME), i == k);
            if (i != k)
                assert_false(flow_interact(c.in, a, b, FLOW_SAME));
        }
    close_case(&c);
}

static void one_helper_for_many_parts(void **state)
{
    (void)state;
    Case c = independent(30, true);
    for (uint32_t i = 0; i < 30; i++)
        for (uint32_t k = i; k < 30; k++) {
            uint32_t a = branch_on(&c, 100, i + 1, 0), b = branch_on(&c, 100, k + 1, 0),
                     check = branch_on(&c, 101, k + 1, 0);
            assert_int_not_equal(a, FLOW_ITEM_ANY);
            assert_int_equal(flow_interact(c.in, a, check, FLOW_SAME), i == k);
            if (i != k)
                assert_false(flow_interact(c.in, a, b, FLOW_SAME));
        }
    close_case(&c);
}

/* Each round decides on an input of its own; `carried` goes on into the next one's check. */
static const char loop_text[] = "fn @input() -> 32\n"
                                "fn @main() -> 32 {\n"
                                "^e:\n jmp ^h\n"
                                "^h:\n %i = phi.32 ^e: 0, ^ok2: %next\n %sum = phi.32 ^e: 0, ^ok2: %sum2\n"
                                " %more = slt.32 %i, 30\n br %more, ^body, ^end !1\n"
                                "^body:\n %x:32 = call @input()\n %c = slt.32 3, %x\n br %c, ^a, ^b !2\n"
                                "^a:\n jmp ^j\n^b:\n jmp ^j\n"
                                "^j:\n %v = phi.32 ^a: 1, ^b: 2\n %k = ne.32 %v, 3\n br %k, ^ok, ^bad !3\n"
                                "^bad:\n trap\n"
                                "^ok:\n %y:32 = call @input()\n %d = slt.32 5, %y\n br %d, ^p, ^q !4\n"
                                "^p:\n jmp ^j2\n^q:\n jmp ^j2\n"
                                "^j2:\n %w = phi.32 ^p: 1, ^q: 2\n %sum2 = add.32 %sum, %w\n %k2 = ne.32 "
                                "%sum2, 99\n br %k2, ^ok2, ^bad2 !5\n"
                                "^bad2:\n trap\n"
                                "^ok2:\n %next = add.32 %i, 1\n jmp ^h\n"
                                "^end:\n ret 0:32\n}\n";

static void rounds_of_a_loop(void **state)
{
    (void)state;
    Case c = open_case(loop_text);
    uint32_t own = branch_on(&c, 2, 0, 0), own_check = branch_on(&c, 3, 0, 0), adds = branch_on(&c, 4, 0, 0),
             sum_check = branch_on(&c, 5, 0, 0);
    FlowWay round = around(&c, 0, 1);
    assert_true(flow_interact(c.in, own, own_check, FLOW_SAME));
    assert_false(flow_interact(c.in, own, own_check, round));
    assert_false(flow_interact(c.in, own, own, round));
    assert_true(flow_interact(c.in, adds, sum_check, FLOW_SAME));
    assert_true(flow_interact(c.in, adds, sum_check, round));
    assert_true(flow_interact(c.in, adds, adds, round));
    assert_false(flow_interact(c.in, own, adds, FLOW_SAME));
    assert_false(flow_interact(c.in, own, adds, round));
    assert_false(flow_interact(c.in, adds, own, round));
    FlowIteration first = {0, round.loop, 0}, second = {0, round.loop, 1};
    FlowInstance a = {adds, 1, &first}, b = {adds, 1, &second}, x = {own, 1, &first},
                 y = {own_check, 1, &first}, z = {own_check, 1, &second};
    assert_true(flow_instances_interact(c.in, &a, &b));
    assert_true(flow_instances_interact(c.in, &x, &y));
    assert_false(flow_instances_interact(c.in, &x, &z));
    assert_true(
        flow_interact(c.in, branch_on(&c, 1, 0, 0), own_check, round)); /* whether there is a next round */
    close_case(&c);
}

/* a on line 1 and b on line 3 touch different checks; c on line 5, if it exists, touches both. */
static Case closure_case(bool third, const FlowInfluenceOptions *options)
{
    Str text = {0};
    str_add(&text, "fn @main(%x:32, %y:32, %z:32) -> 32 {\n"
                   "^e:\n %c1 = slt.32 3, %x\n br %c1, ^a, ^b !1\n^a:\n jmp ^j\n^b:\n jmp ^j\n"
                   "^j:\n %v = phi.32 ^a: 1, ^b: 2\n %c2 = slt.32 3, %y\n br %c2, ^p, ^q !3\n^p:\n jmp "
                   "^k\n^q:\n jmp ^k\n"
                   "^k:\n %w = phi.32 ^p: 1, ^q: 2\n");
    str_printf(&text, " %%c3 = slt.32 %s, %s\n", third ? "3" : "0", third ? "%z" : "1");
    str_add(&text, third ? " br %c3, ^s, ^t !5\n^s:\n jmp ^m\n^t:\n jmp ^m\n^m:\n %u = phi.32 ^s: 1, ^t: 2\n"
                         : " %u = add.32 0, 1\n");
    str_add(&text, " %f = add.32 %v, %u\n %g = ne.32 %f, 9\n br %g, ^ok, ^bad !6\n^bad:\n trap\n"
                   "^ok:\n %f2 = add.32 %w, %u\n %g2 = ne.32 %f2, 9\n br %g2, ^ok2, ^bad2 !7\n^bad2:\n trap\n"
                   "^ok2:\n ret 0:32\n}\n");
    Case c = open_with(str_text(&text), options);
    str_free(&text);
    return c;
}

static void both_with_a_later_third(void **state)
{
    (void)state;
    Case c = closure_case(true, NULL);
    uint32_t a = branch_on(&c, 1, 0, 0), b = branch_on(&c, 3, 0, 0), third = branch_on(&c, 5, 0, 0);
    assert_true(flow_interact(c.in, a, third, FLOW_SAME));
    assert_true(flow_interact(c.in, b, third, FLOW_SAME));
    assert_true(flow_interact(c.in, a, b, FLOW_SAME));
    FlowSite at = flow_interact_at(c.in, a, b, FLOW_SAME);
    assert_int_not_equal(at.fn, IR_NONE);
    close_case(&c);
    c = closure_case(false, NULL);
    assert_false(flow_interact(c.in, branch_on(&c, 1, 0, 0), branch_on(&c, 3, 0, 0), FLOW_SAME));
    close_case(&c);
}

/* An earlier root that decides whether either part runs is no reason to combine the parts. */
static void an_earlier_root_ties_nothing(void **state)
{
    (void)state;
    Case c = open_case(
        "fn @main(%r:32, %x:32, %y:32) -> 32 {\n"
        "^e:\n %c = slt.32 3, %r\n br %c, ^in, ^out !1\n"
        "^in:\n %c1 = slt.32 3, %x\n br %c1, ^a, ^b !2\n^a:\n jmp ^j\n^b:\n jmp ^j\n"
        "^j:\n %v = phi.32 ^a: 1, ^b: 2\n %k = ne.32 %v, 3\n br %k, ^ok, ^bad !3\n^bad:\n trap\n"
        "^ok:\n %c2 = slt.32 3, %y\n br %c2, ^p, ^q !4\n^p:\n jmp ^m\n^q:\n jmp ^m\n"
        "^m:\n %w = phi.32 ^p: 1, ^q: 2\n %k2 = ne.32 %w, 3\n br %k2, ^out, ^bad2 !5\n^bad2:\n trap\n"
        "^out:\n ret 0:32\n}\n");
    uint32_t root = branch_on(&c, 1, 0, 0), a = branch_on(&c, 2, 0, 0), b = branch_on(&c, 4, 0, 0);
    assert_true(flow_interact(c.in, root, a, FLOW_SAME));
    assert_true(flow_interact(c.in, root, b, FLOW_SAME));
    assert_false(flow_interact(c.in, a, b, FLOW_SAME));
    close_case(&c);
}

static const char sinks_text[] = "fn @main(%x:32, %y:32) -> 32 {\n"
                                 "^e:\n %c = slt.32 3, %x\n br %c, ^a, ^b !1\n^a:\n jmp ^j\n^b:\n jmp ^j\n"
                                 "^j:\n %v = phi.32 ^a: 1, ^b: 2\n"
                                 " %d = slt.32 3, %y\n br %d, ^p, ^q !2\n^p:\n jmp ^k\n^q:\n jmp ^k\n"
                                 "^k:\n %w = phi.32 ^p: 1, ^q: 2\n %s = add.32 %v, %w !3\n ret %v !4\n}\n";

static void sinks_limit_what_counts(void **state)
{
    (void)state;
    Case c = open_case(sinks_text);
    assert_false(flow_item_keep(c.in, branch_on(&c, 1, 0, 0)));
    assert_false(flow_item_keep(c.in, branch_on(&c, 2, 0, 0)));
    close_case(&c);
    c = open_with(sinks_text, &(FlowInfluenceOptions){.sinks = FLOW_SINK_FAULTS | FLOW_SINK_OUTPUTS});
    assert_true(flow_item_keep(c.in, branch_on(&c, 1, 0, 0)));
    assert_false(flow_item_keep(c.in, branch_on(&c, 2, 0, 0)));
    close_case(&c);
    c = open_with(sinks_text, &(FlowInfluenceOptions){.sinks = FLOW_SINK_ALL});
    assert_true(flow_interact(c.in, branch_on(&c, 1, 0, 0), branch_on(&c, 2, 0, 0), FLOW_SAME));
    close_case(&c);
}

/* With faults as control flow, everything behind a check depends on it. */
static void ties_of_faults(void **state)
{
    (void)state;
    Case c = independent(3, false);
    assert_false(flow_interact(c.in, branch_on(&c, 1, 0, 0), branch_on(&c, 3, 0, 0), FLOW_SAME));
    const IrProgram *p = c.program;
    FlowInfluence *tied = flow_influence_new(c.flow, &(FlowInfluenceOptions){.policy = FLOW_TIE_FAULTS});
    FlowSite a = on_line(&c, 1), b = on_line(&c, 3);
    assert_non_null(p);
    assert_true(flow_interact(tied, flow_item(tied, &a, 1, FLOW_ITEM_BRANCH),
                              flow_item(tied, &b, 1, FLOW_ITEM_BRANCH), FLOW_SAME));
    flow_influence_free(tied);
    close_case(&c);
}

/* What may end the run decides all that follows, also behind a plain jump and in the next round of a loop;
 * with exits isolated it decides nothing. */
static void leaving_decides_what_follows(void **state)
{
    (void)state;
    static const char text[] =
        "fn @__sheaf_exit(%s:32)\n"
        "fn @quit(%c:1) {\n^a:\n br %c, ^b, ^e !1\n^b:\n call @__sheaf_exit(1:32)\n unreachable\n^e:\n "
        "ret\n}\n"
        "fn @main(%x:32, %y:32, %z:1, %n:32) -> 32 {\n"
        "^s:\n jmp ^l\n"
        "^l:\n %i = phi.32 ^s: 0, ^m: %k\n %more = slt.32 %i, %n\n br %more, ^e, ^out !2\n"
        "^e:\n br %z, ^a, ^j !3\n"
        "^a:\n %c = slt.32 %i, %x\n call @quit(%c) !4\n jmp ^j\n"
        "^j:\n %d = slt.32 %i, %y\n br %d, ^bad, ^m !5\n^bad:\n trap\n"
        "^m:\n %k = add.32 %i, 1\n jmp ^l\n"
        "^out:\n ret 0:32\n}\n";
    for (uint32_t tie = 0; tie < 2; tie++) {
        Case c = open_with(text, &(FlowInfluenceOptions){.policy = tie ? FLOW_TIE_EXITS : 0});
        uint32_t inside = branch_on(&c, 1, 4, 0), behind = branch_on(&c, 5, 0, 0);
        assert_int_equal(flow_may_depend(c.in, on_line(&c, 1), on_line(&c, 5)), tie);
        assert_int_equal(flow_interact(c.in, inside, behind, FLOW_SAME), tie);
        assert_int_equal(flow_interact(c.in, inside, behind, around(&c, 0, 2)), tie);
        close_case(&c);
    }
}

/* What one call shows is a sink by itself: independent prints are not combined, what one print is made of
 * is. */
static void prints_by_themselves(void **state)
{
    (void)state;
    for (uint32_t together = 0; together < 2; together++) {
        Str text = {0};
        str_printf(&text,
                   "fn @putchar(%%c:32) -> 32\n"
                   "fn @main(%%x:32, %%y:32) -> 32 {\n"
                   "^e:\n %%c = slt.32 3, %%x\n br %%c, ^a, ^b !1\n^a:\n jmp ^j\n^b:\n jmp ^j\n"
                   "^j:\n %%v = phi.32 ^a: 65, ^b: 66\n %%r:32 = call @putchar(%%v) !2\n"
                   " %%d = slt.32 3, %%y\n br %%d, ^p, ^q !3\n^p:\n jmp ^k\n^q:\n jmp ^k\n"
                   "^k:\n %%w = phi.32 ^p: 1, ^q: 2\n %%s = add.32 %%w, %s\n %%t:32 = call @putchar(%%s) !4\n"
                   " ret 0:32\n}\n",
                   together ? "%v" : "1");
        Case c = open_with(str_text(&text), &(FlowInfluenceOptions){.sinks = FLOW_SINK_OUTPUTS});
        assert_true(flow_item_keep(c.in, branch_on(&c, 1, 0, 0)));
        assert_true(flow_item_keep(c.in, branch_on(&c, 3, 0, 0)));
        bool combined = flow_interact(c.in, branch_on(&c, 1, 0, 0), branch_on(&c, 3, 0, 0), FLOW_SAME);
        assert_int_equal(combined, together);
        close_case(&c);
        str_free(&text);
    }
}

/* Which function is called is a branch, and one of its ways may be none at all. */
static void calls_through_pointers(void **state)
{
    (void)state;
    Case c = open_case(
        "global $table 16 align 8 {\n 0 @one\n}\n"
        "fn @one() -> 32 {\n^e:\n ret 1:32\n}\n"
        "fn @main(%x:32, %y:64) -> 32 {\n"
        "^e:\n %c = slt.32 3, %x\n br %c, ^a, ^j !1\n^a:\n store.64 $table, 0, align 8 !2\n jmp ^j\n"
        "^j:\n %p = index $table, %y, scale 8\n %f = load.64 %p, align 8 !3\n %r:32 = callptr %f() !4\n ret "
        "0:32\n}\n");
    FlowItem about = flow_item_about(c.in, branch_on(&c, 4, 0, 0));
    assert_int_equal(about.kind, FLOW_ITEM_BRANCH);
    assert_false(about.closed);
    assert_true(flow_item_keep(c.in, branch_on(&c, 4, 0, 0)));
    assert_true(flow_interact(c.in, branch_on(&c, 1, 0, 0), branch_on(&c, 4, 0, 0), FLOW_SAME));
    close_case(&c);
}

static void recursion_meets(void **state)
{
    (void)state;
    Case c = open_case("fn @f(%n:32, %x:32) -> 32 {\n"
                       "^e:\n %z = eq.32 %n, 0\n br %z, ^end, ^go !1\n"
                       "^go:\n %c = slt.32 3, %x\n br %c, ^bad, ^ok !2\n^bad:\n trap\n"
                       "^ok:\n %m = sub.32 %n, 1\n %r:32 = call @f(%m, %x) !3\n ret %r\n^end:\n ret 0:32\n}\n"
                       "fn @main(%x:32) -> 32 {\n^e:\n %r:32 = call @f(3:32, %x) !4\n %s:32 = call @f(4:32, "
                       "%x) !5\n ret %r\n}\n");
    FlowSite deep[3] = {on_line(&c, 4), on_line(&c, 3), on_line(&c, 2)},
             deeper[4] = {on_line(&c, 4), on_line(&c, 3), on_line(&c, 3), on_line(&c, 2)};
    uint32_t a = flow_item(c.in, deep, 3, FLOW_ITEM_BRANCH), b = flow_item(c.in, deeper, 4, FLOW_ITEM_BRANCH);
    assert_true(flow_interact(c.in, a, b, FLOW_SAME));
    close_case(&c);
}

/* Whatever budget is spent, the answer is yes. */
static void spent_budgets(void **state)
{
    (void)state;
    const FlowInfluenceOptions small[] = {{.max_steps = 1}, {.max_memory = 1}, {.max_contexts = 1}};
    for (uint32_t i = 0; i < COUNT_OF(small); i++) {
        Case c = independent(5, true);
        FlowInfluence *in = flow_influence_new(c.flow, &small[i]);
        FlowSite a[2] = {on_line(&c, 1), on_line(&c, 100)}, b[2] = {on_line(&c, 1), on_line(&c, 101)};
        assert_true(flow_interact(in, flow_item(in, a, 2, FLOW_ITEM_BRANCH),
                                  flow_item(in, b, 2, FLOW_ITEM_BRANCH), FLOW_SAME));
        FlowInfluenceStats s = flow_influence_stats(in);
        assert_true(s.cut || s.closed);
        flow_influence_free(in);
        close_case(&c);
    }
}

/* A budget that is spent on questions is told: by statistics, and to people. */
static void spent_while_asked(void **state)
{
    (void)state;
    Case c = independent(5, true);
    FlowInfluence *whole = flow_influence_new(c.flow, NULL);
    FlowInfluenceOptions enough = {.max_steps = flow_influence_stats(whole).steps + 1};
    FlowInfluence *in = flow_influence_new(c.flow, &enough);
    FlowSite a[2] = {on_line(&c, 1), on_line(&c, 100)}, b[2] = {on_line(&c, 2), on_line(&c, 100)};
    uint32_t x = flow_item(in, a, 2, FLOW_ITEM_BRANCH), y = flow_item(in, b, 2, FLOW_ITEM_BRANCH);
    assert_false(flow_influence_stats(in).spent);
    assert_false(flow_interact(whole, x, y, FLOW_SAME));
    assert_true(flow_interact(in, x, y, FLOW_SAME));
    assert_true(flow_influence_stats(in).spent);
    assert_int_equal(flow_influence_stats(in).cut, 0);
    Str out = {0};
    assert_true(flow_dump_influence(in, "t.c", 100, false, &out));
    assert_non_null(strstr(str_text(&out), "the budget of the analysis is spent"));
    str_free(&out);
    flow_influence_free(in);
    flow_influence_free(whole);
    close_case(&c);
}

/* Two entries into one cycle: "the next round" has no fixed place, so a decision meets what any round
 * does. */
static void irreducible_cycles(void **state)
{
    (void)state;
    Case c =
        open_case("fn @main(%x:32, %y:32) -> 32 {\n"
                  "^e:\n %c = slt.32 3, %x\n br %c, ^l, ^r !1\n"
                  "^l:\n %v = phi.32 ^e: 0, ^r: %w\n %d = slt.32 %v, %y\n br %d, ^r, ^out !2\n"
                  "^r:\n %w = phi.32 ^e: 1, ^l: 2\n %k = ne.32 %w, 9\n br %k, ^l, ^bad !3\n^bad:\n trap\n"
                  "^out:\n ret 0:32\n}\n");
    FlowWay round = around(&c, 0, 2);
    assert_int_not_equal(round.loop, IR_NONE);
    uint32_t entry = branch_on(&c, 1, 0, 0), left = branch_on(&c, 2, 0, 0), check = branch_on(&c, 3, 0, 0);
    assert_true(flow_interact(c.in, entry, check, FLOW_SAME));
    assert_true(flow_interact(c.in, left, check, FLOW_SAME));
    assert_true(flow_interact(c.in, left, check, round));
    assert_true(flow_interact(c.in, left, left, round));
    close_case(&c);
}

/* n blocks, each with a jump to anywhere: cycles within cycles, in each of which every edge may lead to the
 * next round. */
static Case jumps(uint32_t n, const FlowInfluenceOptions *options)
{
    Str text = {0};
    str_printf(
        &text,
        "global $g 4 align 4\nfn @main(%%x:32) -> 32 {\n^e:\n %%c = slt.32 3, %%x\n br %%c, ^b0, ^b%u !1\n",
        n / 2);
    for (uint32_t i = 0; i < n; i++)
        str_printf(&text,
                   "^b%u:\n %%c%u = slt.32 %u, %%x\n store.32 $g, %u, align 4\n br %%c%u, ^b%u, ^b%u\n", i, i,
                   i, i, i, i + 1, (i * 7919 + 13) % n);
    str_printf(&text, "^b%u:\n ret 0:32\n}\n", n);
    Case c = open_with(str_text(&text), options);
    str_free(&text);
    return c;
}

/* Their edges are many times what the program has: the budget ends them before they are all made. */
static void irreducible_budget(void **state)
{
    (void)state;
    enum { MOST = 512 << 10 }; /* KB: AddressSanitizer holds back what was freed */
    struct rusage before, after;
    Case few = jumps(20, NULL);
    assert_int_equal(flow_influence_stats(few.in).cut, 0);
    close_case(&few);
    getrusage(RUSAGE_SELF, &before);
    Case many = jumps(2000, &(FlowInfluenceOptions){.max_memory = 1 << 20});
    getrusage(RUSAGE_SELF, &after);
    assert_int_equal(flow_influence_stats(many.in).cut, 1);
    assert_true(after.ru_maxrss - before.ru_maxrss < MOST);
    close_case(&many);
}

static void paths_that_do_not_exist(void **state)
{
    (void)state;
    Case c = independent(2, true);
    FlowSite wrong[2] = {on_line(&c, 100), on_line(&c, 100)}, nowhere = {0, 7, 7};
    assert_int_equal(flow_item(c.in, wrong, 2, FLOW_ITEM_BRANCH), FLOW_ITEM_ANY);
    assert_int_equal(flow_item(c.in, &nowhere, 1, FLOW_ITEM_BRANCH), FLOW_ITEM_ANY);
    assert_int_equal(flow_item(c.in, NULL, 0, FLOW_ITEM_BRANCH), FLOW_ITEM_ANY);
    assert_true(flow_interact(c.in, FLOW_ITEM_ANY, branch_on(&c, 100, 1, 0), FLOW_SAME));
    assert_true(flow_item_keep(c.in, FLOW_ITEM_ANY));
    close_case(&c);
}

/* Handlers run after the entry's end: they meet all that reaches it, and that meets each other; locals do
 * not. */
static void after_the_end(void **state)
{
    (void)state;
    Case c =
        open_case("global $g 4 align 4\nglobal $h 4 align 4\nfn @atexit(%f:64) -> 32\n"
                  "fn @main(%x:32, %y:32, %z:32) -> 32 {\n"
                  "^e:\n %c = slt.32 3, %x\n br %c, ^a, ^j !1\n^a:\n store.32 $g, 1, align 4\n jmp ^j\n"
                  "^j:\n %d = slt.32 3, %y\n br %d, ^p, ^k !2\n^p:\n store.32 $h, 1, align 4\n jmp ^k\n"
                  "^k:\n %f = slt.32 3, %z\n br %f, ^s, ^t !3\n^s:\n jmp ^u\n^t:\n jmp ^u\n"
                  "^u:\n %w = phi.32 ^s: 1, ^t: 2\n %m = ne.32 %w, 9\n br %m, ^ok, ^bad !4\n^bad:\n trap\n"
                  "^ok:\n ret 0:32\n}\n");
    uint32_t first = branch_on(&c, 1, 0, 0), second = branch_on(&c, 2, 0, 0), local = branch_on(&c, 3, 0, 0);
    assert_false(flow_item_keep(c.in, FLOW_ITEM_END)); /* nobody runs then */
    assert_false(flow_interact(c.in, first, FLOW_ITEM_END, FLOW_SAME));
    FlowInfluence *in = flow_influence_new(c.flow, &(FlowInfluenceOptions){.checks = FLOW_CHECK_LEAK});
    assert_true(flow_item_keep(in, FLOW_ITEM_END));
    assert_true(flow_interact(in, first, FLOW_ITEM_END, FLOW_SAME));
    assert_true(flow_interact(in, second, FLOW_ITEM_END, FLOW_SAME));
    assert_true(flow_interact(in, first, second, FLOW_SAME));
    assert_false(flow_interact(in, local, FLOW_ITEM_END, FLOW_SAME));
    assert_true(flow_interact(in, FLOW_ITEM_END, FLOW_ITEM_END, FLOW_SAME));
    assert_true(flow_interact(in, FLOW_ITEM_ANY, FLOW_ITEM_END, FLOW_SAME));
    FlowInstance a = {.item = second}, end = {.item = FLOW_ITEM_END};
    assert_true(flow_instances_interact(in, &a, &end));
    flow_influence_free(in);
    close_case(&c);
}

/* The n-th decision that an instruction of main may be: its instruction and kind. */
static uint32_t nth_item(const Case *c, uint32_t n)
{
    uint32_t main_fn = ir_fn_find(c->program, "main"), at = n / 3;
    const IrFn *fn = &c->program->fns.v[main_fn];
    for (uint32_t b = 0; b < fn->blocks.n; at -= fn->blocks.v[b++].insns.n)
        if (at < fn->blocks.v[b].insns.n)
            return flow_item(c->in, &(FlowSite){main_fn, b, at}, 1, (FlowItemKind)(n % 3));
    return FLOW_ITEM_ANY;
}

/* What was asked before is no matter: not even for values that are chosen in the middle of an expression. */
static void the_order_of_questions(void **state)
{
    (void)state;
    enum { ITEMS = 90 };
    static bool answers[ITEMS][ITEMS];
    for (uint32_t third = 0; third < 4; third++) {
        const FlowInfluenceOptions *o = &(FlowInfluenceOptions){.checks = third & 2 ? FLOW_CHECK_UNINIT : 0};
        Case c = closure_case(third & 1, o);
        for (uint32_t a = 0; a < ITEMS; a++)
            for (uint32_t b = 0; b < ITEMS; b++)
                answers[a][b] = flow_interact(c.in, nth_item(&c, a), nth_item(&c, b), FLOW_SAME);
        if (third == 2) /* the sum may be chosen, and meets both */
            assert_true(flow_interact(c.in, branch_on(&c, 1, 0, 0), branch_on(&c, 3, 0, 0), FLOW_SAME));
        close_case(&c);
        c = closure_case(third & 1, o);
        for (uint32_t a = ITEMS; a-- > 0;)
            for (uint32_t b = ITEMS; b-- > 0;)
                assert_int_equal(answers[a][b],
                                 flow_interact(c.in, nth_item(&c, a), nth_item(&c, b), FLOW_SAME));
        close_case(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_share_nothing),
        cmocka_unit_test(one_helper_for_many_parts),
        cmocka_unit_test(rounds_of_a_loop),
        cmocka_unit_test(both_with_a_later_third),
        cmocka_unit_test(an_earlier_root_ties_nothing),
        cmocka_unit_test(sinks_limit_what_counts),
        cmocka_unit_test(ties_of_faults),
        cmocka_unit_test(leaving_decides_what_follows),
        cmocka_unit_test(prints_by_themselves),
        cmocka_unit_test(calls_through_pointers),
        cmocka_unit_test(recursion_meets),
        cmocka_unit_test(spent_budgets),
        cmocka_unit_test(irreducible_budget),
        cmocka_unit_test(spent_while_asked),
        cmocka_unit_test(irreducible_cycles),
        cmocka_unit_test(paths_that_do_not_exist),
        cmocka_unit_test(the_order_of_questions),
        cmocka_unit_test(after_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
