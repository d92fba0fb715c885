/* base.h - what every module stands on: memory by lifetime, containers, text, JSON, random numbers, messages.
 *
 * Allocation never returns NULL: running out of memory is a message and exit 2, never a crash later on.
 * Nothing here keeps mutable global state (but for a mark that silences the leak check of a sanitized build
 * in die). */
#ifndef SHEAF_BASE_H
#define SHEAF_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

#define COUNT_OF(array)        (sizeof(array) / sizeof((array)[0]))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define LIKELY(x)              __builtin_expect(!!(x), 1)
#define UNLIKELY(x)            __builtin_expect(!!(x), 0)

/* ---- messages -------------------------------------------------------------------------------- */

enum { EXIT_CLEAN = 0, EXIT_FOUND = 1, EXIT_USAGE = 2, EXIT_INCOMPLETE = 3, EXIT_BUG = 70 };

/* One line on standard error, "sheaf: " first. die: the user must mend something, exit 2. bug: a broken
 * invariant of ours, exit 70 after the message (abort() when SHEAF_ABORT is set in the environment, for
 * debuggers). */
_Noreturn void die(const char *fmt, ...) PRINTF_LIKE(1, 2);
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
void warn(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* ---- plain allocation ------------------------------------------------------------------------ */

void *mem_alloc(size_t size);  /* uninitialised */
void *mem_zalloc(size_t size); /* zeroed */
void *mem_realloc(void *old, size_t size);
void mem_free(const void *p); /* const: what is given up may have been read-only for its owner */
char *mem_strdup(const char *s);

/* ---- arenas: memory that dies together ------------------------------------------------------- */

typedef struct Arena Arena;
Arena *arena_new(void);
void arena_free(Arena *a);  /* NULL is allowed */
void arena_clear(Arena *a); /* all that it handed out is gone; some memory stays for what follows */
void *arena_alloc(Arena *a, size_t size); /* zeroed, aligned to 16 */
char *arena_strdup(Arena *a, const char *s);
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
size_t arena_bytes(const Arena *a); /* bytes held, for budgets */

/* ---- vectors --------------------------------------------------------------------------------- */

/* Vec(T) is a growable array; zero-initialised is empty. vec_push may move v: keep indices, not pointers. */
#define Vec(T)           \
    struct {             \
        T *v;            \
        uint32_t n, cap; \
    }
#define vec_reserve(vec, want)      \
    ((vec)->cap >= (want) ? (void)0 \
                          : (void)((vec)->v = vec_grow((vec)->v, &(vec)->cap, (want), sizeof *(vec)->v)))
#define vec_push(vec, ...) \
    (vec_reserve((vec), (vec)->n + 1), (void)((vec)->v[(vec)->n] = (__VA_ARGS__)), (void)(vec)->n++)
#define vec_pop(vec)   ((vec)->v[--(vec)->n])
#define vec_last(vec)  ((vec)->v[(vec)->n - 1])
#define vec_clear(vec) ((void)((vec)->n = 0))
#define vec_free(vec)  (mem_free((vec)->v), (void)((vec)->v = NULL, (vec)->n = (vec)->cap = 0))
void *vec_grow(void *v, uint32_t *cap, uint32_t want, size_t element);

typedef Vec(uint32_t) U32Vec;
typedef Vec(uint64_t) U64Vec;
typedef Vec(const char *) StrVec;

/* ---- hashing and maps ------------------------------------------------------------------------ */

static inline uint64_t hash_u64(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}
static inline uint64_t hash_mix(uint64_t seed, uint64_t x)
{
    return hash_u64(seed * 0x9e3779b97f4a7c15u + x);
}
uint64_t hash_bytes(const void *data, size_t size);

/* Map: 64-bit keys to 64-bit values, open addressing, deletion supported. Zero-initialised is empty. */
typedef struct Map {
    struct MapSlot *slots;
    uint32_t n, used, cap; /* live, live or deleted, capacity (a power of two) */
} Map;
bool map_get(const Map *m, uint64_t key, uint64_t *value); /* value may be NULL */
uint64_t map_get_or(const Map *m, uint64_t key, uint64_t otherwise);
void map_put(Map *m, uint64_t key, uint64_t value); /* inserts or replaces */
bool map_add(Map *m, uint64_t key, uint64_t value); /* inserts if it is not there; false: it is */
uint64_t *map_at(Map *m, uint64_t key); /* its value, 0 if it was not there; until the map changes */
bool map_remove(Map *m, uint64_t key);
/* Iteration in slot order: start with *cursor = 0; false at the end. The map must not change meanwhile. */
bool map_next(const Map *m, uint32_t *cursor, uint64_t *key, uint64_t *value);
void map_clear(Map *m);
void map_free(Map *m);

/* Marks: four bits for each of many names that are hashes; zero-initialised, all are 0. A slot has the upper
 * 60 bits of a name, which tell it from others and where it stands, and the marks: half of a Map's, where
 * looking something up is waiting for memory. */
typedef struct Marks {
    uint64_t *slots;
    uint32_t n, cap; /* names; slots, a power of two or 0 */
} Marks;
enum { MARKS_MASK = 15, MARKS_COUNT = 4 };
void marks_grow(Marks *m);
void marks_clear(Marks *m);
void marks_free(Marks *m);
static inline uint64_t marks_tag(uint64_t name)
{
    return name > MARKS_MASK ? name & ~(uint64_t)MARKS_MASK : MARKS_MASK + 1;
}
static inline uint64_t *marks_slot(const Marks *m,
                                   uint64_t tag) /* where it stands, or would: there is one that is free */
{
    uint32_t mask = m->cap - 1, i = (uint32_t)(tag >> MARKS_COUNT) & mask;
    while (m->slots[i] && (m->slots[i] ^ tag) > MARKS_MASK)
        i = (i + 1) & mask;
    return &m->slots[i];
}
static inline unsigned marks_get(const Marks *m, uint64_t name)
{
    return m->cap ? *marks_slot(m, marks_tag(name)) & MARKS_MASK : 0;
}
/* Replaces those in `which` by `marks`; returns what was there. */
static inline unsigned marks_set(Marks *m, uint64_t name, unsigned which, unsigned marks)
{
    if (UNLIKELY((uint64_t)m->n * 2 >= m->cap))
        marks_grow(m);
    uint64_t tag = marks_tag(name), *slot = marks_slot(m, tag), old = *slot;
    m->n += !old;
    *slot = tag | (old & MARKS_MASK & ~(uint64_t)which) | marks;
    return old & MARKS_MASK;
}
static inline void marks_prefetch(const Marks *m,
                                  uint64_t name) /* the others will be called with it: they cost less then */
{
    if (m->cap)
        __builtin_prefetch(&m->slots[(uint32_t)(name >> MARKS_COUNT) & (m->cap - 1)]);
}

/* Marks that several processes may share. Until they are shared they are a process's own. shared_marks_share
 * is called before processes are forked: from then on what one of them sets the others get, though of a name
 * that two add at the same moment one set of marks may be lost. While no other process writes,
 * shared_marks_keep copies the table, so that the process which shared it can go back to this state. */
typedef struct SharedMarks {
    Marks own; /* while they are shared: as they were last kept */
    struct SharedTable *table;
} SharedMarks;

unsigned shared_table_get(const struct SharedTable *t, uint64_t name);
unsigned shared_table_set(struct SharedTable *t, uint64_t name, unsigned which, unsigned marks);
void shared_table_prefetch(const struct SharedTable *t, uint64_t name);

static inline unsigned shared_marks_get(const SharedMarks *s, uint64_t name)
{
    return UNLIKELY(s->table) ? shared_table_get(s->table, name) : marks_get(&s->own, name);
}
/* As marks_set. */
static inline unsigned shared_marks_set(SharedMarks *s, uint64_t name, unsigned which, unsigned marks)
{
    return UNLIKELY(s->table) ? shared_table_set(s->table, name, which, marks)
                              : marks_set(&s->own, name, which, marks);
}
static inline void shared_marks_prefetch(const SharedMarks *s, uint64_t name)
{
    if (UNLIKELY(s->table))
        shared_table_prefetch(s->table, name);
    else
        marks_prefetch(&s->own, name);
}

bool shared_marks_share(SharedMarks *s); /* false: there is no memory for it */
void shared_marks_keep(SharedMarks *s);
void shared_marks_end(SharedMarks *s); /* they are the process's own again, as they were last kept */
size_t shared_marks_bytes(const SharedMarks *s);
void shared_marks_free(SharedMarks *s);

/* StrMap: strings (copied) to 64-bit values. */
typedef struct StrMap {
    Map index; /* hash to first entry */
    Vec(struct StrMapEntry {
        const char *key;
        uint64_t value;
        uint32_t next;
        bool live;
    }) entries;
} StrMap;
bool strmap_get(const StrMap *m, const char *key, uint64_t *value);
void strmap_put(StrMap *m, const char *key, uint64_t value);
bool strmap_remove(StrMap *m, const char *key);
void strmap_free(StrMap *m);

/* Interned strings: equal text, equal id. Id 0 is the empty string. Text stays valid until intern_free. */
typedef struct Intern Intern;
Intern *intern_new(void);
uint32_t intern_id(Intern *in, const char *text);
const char *intern_text(const Intern *in, uint32_t id);
void intern_free(Intern *in);

/* ---- bit sets -------------------------------------------------------------------------------- */

/* A set of small integers; grows on demand. Zero-initialised is empty. */
typedef Vec(uint64_t) BitSet;
bool bitset_has(const BitSet *s, uint32_t i);
bool bitset_add(BitSet *s, uint32_t i); /* true if it was not a member before */
void bitset_remove(BitSet *s, uint32_t i);
bool bitset_unite(BitSet *s, const BitSet *other); /* true if s grew */
bool bitset_meets(const BitSet *a, const BitSet *b);
bool bitset_subset(const BitSet *a, const BitSet *b);
uint32_t bitset_count(const BitSet *s);
/* The least member >= from, or UINT32_MAX. */
uint32_t bitset_next(const BitSet *s, uint32_t from);
void bitset_free(BitSet *s);

/* A set of small integers that is emptied again and again, which takes no time. Zero-initialised is empty. */
typedef struct Stamps {
    U32Vec of; /* by integer: the epoch in which it was added last */
    uint32_t epoch;
} Stamps;
void stamps_clear(Stamps *s); /* once before the first is added */
void stamps_add(Stamps *s, uint32_t i);
static inline bool stamps_has(const Stamps *s, uint32_t i) { return i < s->of.n && s->of.v[i] == s->epoch; }
void stamps_free(Stamps *s);

/* ---- shared sets ----------------------------------------------------------------------------- */

/* Sets of 32-bit numbers that share structure, named by ids: equal sets have equal ids, 0 is the empty set.
 * They live as long as their pool. Unions are memoised and cost what the two differ by; so does whatever
 * compares two sets. */
typedef struct SetsNode {
    uint32_t key;  /* leaf: chunk of 64 numbers; branch: common prefix of chunks */
    uint32_t bit;  /* branch: the bit of a chunk that decides; leaf: 0 */
    uint64_t bits; /* leaf: members of the chunk; branch: right << 32 | left */
} SetsNode;
typedef struct Sets {
    Vec(SetsNode) nodes;
    uint32_t *table, cap;
    struct SetsMemo {
        uint32_t a, b, result;
    } * memo;          /* unions, by hash */
    uint32_t memo_log; /* of their number */
} Sets;
void sets_init(Sets *p);
void sets_free(Sets *p);
size_t sets_bytes(const Sets *p); /* bytes held, for budgets */
uint32_t sets_of(Sets *p, uint32_t member);
uint32_t sets_range(Sets *p, uint32_t from, uint32_t n);
uint32_t sets_from(Sets *p, const uint32_t *members, uint32_t n); /* ascending */
static inline struct SetsMemo *sets_memo(const Sets *p, uint32_t a, uint32_t b)
{
    return &p->memo[(a ^ b * 0x85ebca6bu) * 0x9e3779b1u >> (32 - p->memo_log)];
}
uint32_t sets_unite(Sets *p, uint32_t a, uint32_t b); /* what sets_union gives, if nothing is remembered */
static inline uint32_t sets_union(Sets *p, uint32_t a, uint32_t b)
{
    if (a == b || !b)
        return a;
    if (!a)
        return b;
    const struct SetsMemo *memo = sets_memo(p, a, b);
    return memo->a == a && memo->b == b ? memo->result : sets_unite(p, a, b);
}
uint32_t sets_without(Sets *p, uint32_t a, uint32_t b); /* members of a that are not in b */
bool sets_has(const Sets *p, uint32_t set, uint32_t member);
bool sets_meets(const Sets *p, uint32_t a, uint32_t b);
bool sets_within(const Sets *p, uint32_t a, uint32_t b); /* what sets_subset gives */
static inline bool sets_subset(const Sets *p, uint32_t a, uint32_t b)
{
    if (a == b || !a)
        return true;
    const SetsNode *x = &p->nodes.v[a], *y = &p->nodes.v[b];
    if (x->bit || y->bit)
        return sets_within(p, a, b);
    return b && x->key == y->key && !(x->bits & ~y->bits); /* most are leaves */
}
uint32_t sets_size(const Sets *p, uint32_t set);
uint32_t sets_next(const Sets *p, uint32_t set, uint32_t from); /* least member >= from, or UINT32_MAX */
/* The same of 64 at a time: number of the first chunk >= from that has members, with a bit for each; or
 * UINT32_MAX. */
uint32_t sets_chunk(const Sets *p, uint32_t set, uint32_t from,
                    uint64_t *bits); /* what sets_next_chunk gives */
static inline uint32_t sets_next_chunk(const Sets *p, uint32_t set, uint32_t from, uint64_t *bits)
{
    const SetsNode *n = &p->nodes.v[set];
    if (n->bit)
        return sets_chunk(p, set, from, bits);
    *bits = n->bits;
    return set && n->key >= from ? n->key : UINT32_MAX;
}
uint32_t sets_last_without(const Sets *p, uint32_t set,
                           const BitSet *skip);              /* greatest not in skip, or UINT32_MAX */
uint32_t sets_beyond(const Sets *p, uint32_t a, uint32_t b); /* what sets_last_beyond gives */
static inline uint32_t sets_last_beyond(const Sets *p, uint32_t a,
                                        uint32_t b) /* greatest of a not in b, or UINT32_MAX */
{
    const SetsNode *x = &p->nodes.v[a], *y = &p->nodes.v[b];
    if (x->bit || y->bit)
        return sets_beyond(p, a, b);
    uint64_t bits = x->key == y->key ? x->bits & ~y->bits : x->bits;
    return bits ? x->key << 6 | (63 - (uint32_t)__builtin_clzll(bits)) : UINT32_MAX;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* A directed graph in compressed rows. Successors of node x: to[start[x]] up to before to[start[x + 1]], in
 * the order in which its edges were given. Nothing here recurses: graphs may be hostile. */
typedef struct Graph {
    uint32_t n;
    uint32_t *start, *to;
} Graph;
typedef struct GraphEdge {
    uint32_t from, to;
} GraphEdge;
typedef Vec(GraphEdge) GraphEdges;
#define GRAPH_NONE UINT32_MAX

Graph graph_make(Arena *a, uint32_t n, const GraphEdges *edges);
Graph graph_reverse(Arena *a, const Graph *g);
/* Marks (1) what is reached from the roots, which count as reached, without going through nodes marked 2. */
void graph_reach(const Graph *g, U32Vec *roots, uint8_t *marks);

/* Immediate dominator of every node, GRAPH_NONE for the root and what it does not reach. After Lengauer and
 * Tarjan with path compression: O(edges * log nodes) whatever the graph looks like. `reverse` is the graph's
 * own reverse. */
uint32_t *graph_dominators(Arena *a, const Graph *g, const Graph *reverse, uint32_t root);

/* A tree or forest given by parents (GRAPH_NONE: none), so that ancestry is a comparison. */
typedef struct Tree {
    uint32_t *first, *size;
} Tree;
Tree graph_tree(Arena *a, const uint32_t *parent, uint32_t n);
static inline bool tree_above(const Tree *t, uint32_t a, uint32_t b)
{
    return t->first[b] - t->first[a] < t->size[a];
}

/* Strongly connected components: number of each node's; an edge never goes to a higher number. */
uint32_t *graph_components(Arena *a, const Graph *g, uint32_t *count);

/* ---- text ------------------------------------------------------------------------------------ */

/* A string under construction. Zero-initialised is empty; s.v is NUL-terminated once anything was added. */
typedef Vec(char) Str;
void str_add(Str *s, const char *text);
void str_add_n(Str *s, const char *text, size_t n);
void str_add_char(Str *s, char c);
void str_printf(Str *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
void str_vprintf(Str *s, const char *fmt, va_list args);
const char *str_text(const Str *s); /* never NULL */
char *str_take(Str *s);             /* hands the text to the caller (mem_free) and empties s */
void str_free(Str *s);

void text_u128(char out[48], u128 value, bool is_signed); /* decimal */
/* Digits in the given base (0: C's prefixes), optional '-' (then at most 2^127; the value is its two's
 * complement). False on garbage, blanks and '+' included, or overflow of 128 bits; *value is then
 * untouched. */
bool text_parse_u128(const char *text, unsigned base, u128 *value);
/* Levenshtein distance, for "did you mean". */
uint32_t text_distance(const char *a, const char *b);
bool text_starts_with(const char *text, const char *prefix);
bool text_ends_with(const char *text, const char *suffix);

/* ---- files ----------------------------------------------------------------------------------- */

/* Reads a whole file into out (what it held goes), NUL added behind it. False with errno set and out empty;
 * limit is in bytes (EFBIG beyond). */
bool file_read(const char *path, size_t limit, Str *out);
/* Writes beside it and renames, so that a reader or a kill sees the old file or the whole new one. An old
 * file's mode and a symbolic link stay; what is no regular file (a pipe, /dev/null) is written to. False with
 * errno set. */
bool file_write_atomic(const char *path, const void *data, size_t size);
/* The same with as few system calls as can be, for many files in an open directory of the caller's own:
 * `scratch` is a name in it that is not used otherwise; what stands under either name goes, unseen. */
bool file_write_at(int directory, const char *name, const char *scratch, const void *data, size_t size);
bool file_exists(const char *path);
bool directory_make(const char *path);   /* and those above it; one that exists is fine; false with errno */
void directory_remove(const char *path); /* with all that is in it; symbolic links are not followed */

/* ---- values as bytes ------------------------------------------------------------------------- */

/* Numbers take as few bytes as they need (seven bits each); bytes and text have their length before them. */
void wire_uint(Str *out, uint64_t value);
void wire_u64(Str *out, uint64_t value); /* of a hash: eight bytes */
void wire_bytes(Str *out, const void *bytes, size_t n);
void wire_text(Str *out, const char *text);

/* A reader that trusts nothing: behind the first value that is not there, too large or malformed, `bad` is
 * set, nothing is left, and every further value is 0, empty or "". The reader asks once, at the end. */
typedef struct Wire {
    const uint8_t *at;
    size_t left;
    bool bad;
} Wire;
Wire wire_of(const void *bytes, size_t n);
uint64_t wire_get(Wire *in);
uint64_t wire_get_below(Wire *in, uint64_t limit); /* anything else is bad */
uint32_t wire_get_u32(Wire *in);
uint64_t wire_get_u64(Wire *in);   /* as wire_u64 wrote it */
uint32_t wire_get_count(Wire *in); /* of elements that follow, each of a byte at least */
const uint8_t *wire_get_bytes(Wire *in, uint32_t *n);
char *wire_get_text(Wire *in, Arena *arena); /* without a NUL in it */
bool wire_refuse(Wire *in);                  /* the reader's caller found what cannot be: bad. False */
bool wire_ended(const Wire *in);             /* all was read, and nothing was bad */

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Writer: keeps commas, nesting and indentation right. Strings that are not UTF-8 are written with each bad
 * byte as U+FFFD; binary data should be sent as json_hex. key is NULL inside arrays. Zero-initialised is
 * ready; text holds the result (str_free). Values outside everything each start on a new line, so a compact
 * writer writes JSON lines; the last line's end is the caller's to add. */
typedef struct JsonOut {
    Str text;
    uint32_t depth;
    bool first, compact;
} JsonOut;
void json_object_begin(JsonOut *j, const char *key);
void json_object_end(JsonOut *j);
void json_array_begin(JsonOut *j, const char *key);
void json_array_end(JsonOut *j);
void json_string(JsonOut *j, const char *key, const char *value); /* NULL writes null */
void json_string_n(JsonOut *j, const char *key, const char *value, size_t n);
void json_hex(JsonOut *j, const char *key, const void *data, size_t n);
void json_int(JsonOut *j, const char *key, int64_t value);
void json_uint(JsonOut *j, const char *key, uint64_t value);
void json_double(JsonOut *j, const char *key, double value); /* NaN and infinities write null */
void json_bool(JsonOut *j, const char *key, bool value);

/* Reader: strict (RFC 8259), nesting bounded, hostile input safe. Values live in the arena. Not accepted
 * although the grammar has it: lone surrogates, member names with a NUL, numbers beyond double. */
typedef enum JsonKind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;
typedef struct Json {
    JsonKind kind;
    bool boolean;
    double number;
    int64_t integer; /* of a number that is one; else truncated */
    bool is_integer;
    const char *string; /* NUL-terminated, of a number its spelling; string_size counts NULs */
    size_t string_size;
    const char *key;           /* of a member of an object */
    struct Json *first, *next; /* children of an array or object; sibling */
    uint32_t count;
} Json;
/* NULL on a syntax error; *error then says what and where ("line 3: expected ':'"), in the arena. */
Json *json_parse(Arena *a, const char *text, size_t size, const char **error);
const Json *json_member(const Json *object, const char *key);    /* NULL if absent or not an object */
const char *json_text(const Json *value, const char *otherwise); /* of a string value (value may be NULL) */
int64_t json_integer(const Json *value, int64_t otherwise);

/* ---- random numbers: seeded, reproducible, not for secrets ----------------------------------- */

typedef struct Rng {
    uint64_t state[4];
} Rng;
void rng_seed(Rng *r, uint64_t seed);
uint64_t rng_next(Rng *r);
uint64_t rng_below(Rng *r, uint64_t limit); /* uniform in [0, limit); limit > 0 */

/* ---- time and memory that the process has used ----------------------------------------------- */

double clock_seconds(void); /* monotonic */
double
clock_processor_seconds(void); /* that the process has used: does not depend on what else the machine does */
size_t memory_resident(void);  /* bytes of the process in memory; 0: not known. Takes some microseconds */

#endif
