/* fleet_costs.c - what a fleet asks of its database, one thing again and again, for parallel.py, which
 * measures what that costs the server.
 *
 * usage: fleet_costs ADDRESS WORKERS BYTES MESSAGE: so many workers are connected, and as many regions are
 * claimed; a region has so many BYTES and what is found in it is a MESSAGE of so many. */
#include "store/store.h"

#include <stdlib.h>

static const double lease = 600;
static const char version[] = "costs"; /* no worker takes part */

typedef struct Costs {
    Fleet *f;
    uint64_t job, last;
    Str bytes, message;
    FleetRegion region; /* that is claimed */
    Vec(Fleet *) others;
} Costs;

static Fleet *connect_to(const char *address)
{
    Str error = {0};
    bool unreachable;
    Fleet *f = fleet_open(address, &error, &unreachable);
    if (!f)
        die("%s", str_text(&error));
    return f;
}

static void claim(Costs *c)
{
    str_free(&c->region.bytes);
    if (!fleet_claim(c->f, c->job, version, "worker", lease, &c->region))
        die("no region: %s", fleet_failure(c->f) ? fleet_failure(c->f) : "all are claimed");
}

static void check_in(Costs *c, const Str *left, const Str *given)
{
    FleetCheckpoint checkpoint = {
        .messages = &c->message, .nmessages = 1, .left = left, .given = given, .runs = 1, .lease = lease};
    if (!fleet_checkpoint(c->f, &c->region, &checkpoint))
        die("the claim is over");
}

/* Claims a region and ends it, with another in its place: each time one is free, and as many are claimed. */
static void give(Costs *c)
{
    check_in(c, NULL, &c->bytes);
    claim(c);
}

static void keep(Costs *c) { check_in(c, &c->bytes, NULL); }
static void ask(Costs *c) { fleet_waiting(c->f, c->job); }
static void prolong(Costs *c) { fleet_prolong(c->f, &c->region, lease); }

static void claim_none(Costs *c)
{
    FleetRegion none = {0};
    if (fleet_claim(c->f, c->job, version, "worker", lease, &none))
        die("there was a region");
}

static void wait_none(Costs *c) { fleet_wait(c->f, c->job, "worker", 0); }

static void ignore(void *context, const void *bytes, size_t n)
{
    (void)context;
    (void)bytes;
    (void)n;
}

static void read_message(Costs *c) { c->last = fleet_messages(c->f, c->job, c->last, ignore, NULL); }

static void send_and_read(Costs *c)
{
    keep(c);
    read_message(c);
}

/* The others begin to wait; this connection still works. */
static void listen_all(Costs *c)
{
    for (uint32_t i = 0; i < c->others.n; i++)
        fleet_listen(c->others.v[i], 0);
}

static const struct {
    const char *word;
    void (*once)(Costs *c);
} works[] = {{"keep", keep},          {"give", give},        {"ask", ask},
             {"prolong", prolong},    {"none", claim_none},  {"wait", wait_none},
             {"read", send_and_read}, {"listen", listen_all}};

/* Each line of standard input names what is done, and how often; "done" says that it is. */
static void serve(Costs *c)
{
    char word[16];
    unsigned times;
    while (scanf("%15s %u", word, &times) == 2) {
        for (size_t w = 0; w < COUNT_OF(works); w++)
            for (unsigned i = 0; !strcmp(works[w].word, word) && i < times; i++)
                works[w].once(c);
        puts("done");
        fflush(stdout);
    }
}

static void add_bytes(Str *out, const char *n)
{
    for (uint64_t i = strtoull(n, NULL, 10); i; i--)
        str_add_char(out, (char)(i * 0x9e3779b1u >> 8)); /* nothing that is compressed */
}

int main(int argc, char **argv)
{
    if (argc != 5)
        die("usage: fleet_costs ADDRESS WORKERS BYTES MESSAGE");
    Costs c = {.f = connect_to(argv[1])};
    add_bytes(&c.bytes, argv[3]);
    add_bytes(&c.message, argv[4]);
    FleetJob job = {.title = "costs", .options = "", .version = version, .hash = "", .program = ""};
    c.job = fleet_job_add(c.f, &job, &c.bytes);
    claim(&c);
    for (uint64_t i = strtoull(argv[2], NULL, 10); i > 1; i--) {
        vec_push(&c.others, connect_to(argv[1]));
        check_in(&c, &c.bytes, &c.bytes);
        claim(&c);
    }
    puts("done");
    fflush(stdout);
    serve(&c);
    fleet_job_finish(c.f, c.job);
    if (fleet_failure(c.f))
        die("%s", fleet_failure(c.f));
    for (uint32_t i = 0; i < c.others.n; i++)
        fleet_close(c.others.v[i]);
    vec_free(&c.others);
    fleet_close(c.f);
    str_free(&c.bytes);
    str_free(&c.message);
    str_free(&c.region.bytes);
    return 0;
}
