/* reaching_text.c - the answers of `sheaf reach`, for people and for programs. */
#include "cli/reaching.h"

const char *const reach_status_words[] = {"open", "reached", "unreachable"};

static const char *function_of(const IrProgram *p, const Target *t)
{
    return ir_text(p, p->fns.v[t->places.v[0].fn].name);
}

static void place_text(const IrProgram *p, uint32_t site, Str *out)
{
    char where[512];
    if (site != IR_NONE)
        str_printf(out, "%s: ", ir_site_text(p, site, where, sizeof where));
}

static void native_text(const Reached *x, Str *out)
{
    static const char *const verdicts[] = {"not replayed", "confirmed natively", "not confirmed natively"};
    str_printf(out, "%s", verdicts[x->native]);
    if (x->witness)
        str_printf(out, " (%s)", x->witness);
}

void reach_target_text(const Reaching *r, uint32_t i, Str *out)
{
    static const char *const heads[] = {"OPEN", "REACHED", "UNREACHABLE"};
    const Target *t = &r->targets.v[i];
    const Reached *x = &r->reached.v[i];
    str_printf(out, "%-11s  %s in %s", heads[x->status], t->text, function_of(r->program, t));
    if (x->status == REACH_UNREACHABLE)
        str_add(out, !strcmp(x->by, "forward") ? ": proved, all paths were explored"
                                               : ": proved, on no input does a run come there");
    str_add_char(out, '\n');
    if (x->status == REACH_REACHED) {
        str_printf(out, "             input %s   ", x->test);
        native_text(x, out);
        str_add_char(out, '\n');
    }
    if (x->status == REACH_UNREACHABLE && x->reasons.n)
        str_add(out, "             these contradict each other:\n");
    for (uint32_t k = 0; k < x->reasons.n; k++) {
        str_add(out, "             ");
        place_text(r->program, x->reasons.v[k].site, out);
        str_printf(out, "%s\n", x->reasons.v[k].text);
    }
}

uint32_t reach_count(const Reaching *r, ReachStatus status)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->reached.n; i++)
        n += r->reached.v[i].status == status;
    return n;
}

void reach_summary_text(const Reaching *r, Str *out)
{
    str_printf(out, "%u target%s: %u reached, %u proved unreachable, %u open\n", r->targets.n,
               r->targets.n == 1 ? "" : "s", reach_count(r, REACH_REACHED), reach_count(r, REACH_UNREACHABLE),
               reach_count(r, REACH_OPEN));
}

static void target_json(const Reaching *r, uint32_t i, JsonOut *json)
{
    static const char *const verdicts[] = {"not replayed", "confirmed", "not confirmed"};
    const Target *t = &r->targets.v[i];
    const Reached *x = &r->reached.v[i];
    json_object_begin(json, NULL);
    json_string(json, "target", t->text);
    report_site_json(r->program, t->site, json);
    json_string(json, "function", function_of(r->program, t));
    json_string(json, "status", reach_status_words[x->status]);
    json_string(json, "by", x->by);
    if (x->status == REACH_REACHED) {
        json_string(json, "test", x->test);
        json_string(json, "native", verdicts[x->native]);
        json_string(json, "witness", x->witness);
    }
    json_uint(json, "steps", x->steps);
    json_uint(json, "queries", x->queries);
    json_double(json, "seconds", x->seconds);
    json_array_begin(json, x->status == REACH_UNREACHABLE ? "core" : "reasons");
    for (uint32_t k = 0; k < x->reasons.n; k++) {
        json_object_begin(json, NULL);
        json_string(json, "text", x->reasons.v[k].text);
        report_site_json(r->program, x->reasons.v[k].site, json);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

void reach_targets_json(const Reaching *r, JsonOut *json)
{
    json_array_begin(json, "targets");
    for (uint32_t i = 0; i < r->targets.n; i++)
        target_json(r, i, json);
    json_array_end(json);
}

void reach_uncovered_text(const Reaching *r, Str *out)
{
    str_printf(
        out,
        "%u branch outcome%s that exploration left untaken: %u covered now, %u proved impossible, %u open\n",
        r->targets.n, r->targets.n == 1 ? "" : "s", reach_count(r, REACH_REACHED),
        reach_count(r, REACH_UNREACHABLE), reach_count(r, REACH_OPEN));
    for (uint32_t i = 0; i < r->targets.n; i++) {
        const Reached *x = &r->reached.v[i];
        str_printf(out, "  %s: %s", r->targets.v[i].text,
                   x->status == REACH_REACHED       ? "covered by "
                   : x->status == REACH_UNREACHABLE ? "proved impossible"
                                                    : "open");
        str_printf(out, "%s\n", x->status == REACH_REACHED ? x->test : "");
    }
}
