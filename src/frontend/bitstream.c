/* bitstream.c - LLVM's container format: nested blocks of records, whose fields are laid out by abbreviations
 * that the stream itself defines. */
#include "frontend/bitstream.h"

enum { END_BLOCK, ENTER_SUBBLOCK, DEFINE_ABBREV, UNABBREV_RECORD, FIRST_ABBREV };
enum { MAX_DEPTH = 16, BLOCKINFO = 0, SETBID = 1 };

typedef enum Encoding { LITERAL = 0, FIXED = 1, VBR = 2, ARRAY = 3, CHAR6 = 4, BLOB = 5 } Encoding;

typedef struct AbbrevOp {
    Encoding encoding;
    uint64_t value; /* of a literal; else the width in bits */
} AbbrevOp;

typedef struct Abbrev {
    AbbrevOp *ops; /* in the reader's arena */
    uint32_t n;
} Abbrev;
typedef Vec(Abbrev) AbbrevVec;

typedef struct Reader {
    const uint8_t *bytes;
    uint64_t at, end; /* bits */
    bool bad;
    const BitstreamVisitor *visitor;
    void *context;
    Arena *arena;
    struct {
        unsigned block;
        Abbrev abbrev;
    } * info; /* abbreviations that blocks of a kind start with */
    uint32_t ninfo, info_room;
    U64Vec operands;
} Reader;

/* ---- bits ------------------------------------------------------------------------------------ */

static uint64_t take(Reader *r, unsigned n)
{
    if (n > 64 || r->at + n > r->end) {
        r->bad = true;
        return 0;
    }
    uint64_t value = 0;
    unsigned got = 0;
    while (got < n) {
        unsigned in_byte = r->at % 8, part = 8 - in_byte < n - got ? 8 - in_byte : n - got;
        value |= (uint64_t)(r->bytes[r->at / 8] >> in_byte & ((1u << part) - 1)) << got;
        got += part;
        r->at += part;
    }
    return value;
}

/* Groups of n bits, the highest of which says whether another group follows. */
static uint64_t take_vbr(Reader *r, unsigned n)
{
    uint64_t value = 0;
    for (unsigned shift = 0; n > 1 && shift < 64; shift += n - 1) {
        uint64_t group = take(r, n);
        value |= (group & (((uint64_t)1 << (n - 1)) - 1)) << shift;
        if (!(group >> (n - 1)))
            return value;
    }
    r->bad = true;
    return 0;
}

static void align(Reader *r)
{
    r->at = (r->at + 31) / 32 * 32;
    r->bad |= r->at > r->end;
}

/* ---- abbreviations --------------------------------------------------------------------------- */

static Abbrev read_abbrev(Reader *r)
{
    Abbrev abbrev = {.n = (uint32_t)take_vbr(r, 5)};
    if (r->bad || abbrev.n > 4096) {
        r->bad = true;
        return (Abbrev){0};
    }
    abbrev.ops = arena_alloc(r->arena, (abbrev.n + 1) * sizeof *abbrev.ops);
    for (uint32_t i = 0; i < abbrev.n && !r->bad; i++) {
        if (take(r, 1)) {
            abbrev.ops[i] = (AbbrevOp){.encoding = LITERAL, .value = take_vbr(r, 8)};
            continue;
        }
        Encoding encoding = (Encoding)take(r, 3);
        bool has_width = encoding == FIXED || encoding == VBR;
        abbrev.ops[i] = (AbbrevOp){.encoding = encoding, .value = has_width ? take_vbr(r, 5) : 0};
        /* an array's element comes behind it, and is the last; a blob is the last */
        r->bad |= encoding == LITERAL || encoding > BLOB || (has_width && abbrev.ops[i].value > 64) ||
                  (encoding == ARRAY && i + 2 != abbrev.n) || (encoding == BLOB && i + 1 != abbrev.n);
    }
    return abbrev;
}

static uint64_t read_scalar(Reader *r, const AbbrevOp *op)
{
    static const char char6[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    switch (op->encoding) {
    case LITERAL: return op->value;
    case FIXED: return take(r, (unsigned)op->value);
    case VBR: return op->value ? take_vbr(r, (unsigned)op->value) : 0;
    case CHAR6: return (unsigned char)char6[take(r, 6)];
    default: r->bad = true; return 0;
    }
}

static void read_array(Reader *r, const AbbrevOp *element)
{
    uint64_t n = take_vbr(r, 6);
    r->bad |= n > r->end - r->at; /* also for elements of no bits: no writer makes more than the file has */
    for (uint64_t i = 0; i < n && !r->bad; i++)
        vec_push(&r->operands, read_scalar(r, element));
}

static void skip_blob(Reader *r)
{
    uint64_t n = take_vbr(r, 6);
    align(r);
    if (r->bad || n > (r->end - r->at) / 8) {
        r->bad = true;
        return;
    }
    r->at += n * 8;
    align(r);
}

/* ---- records and blocks ---------------------------------------------------------------------- */

/* The record's code and operands go to r->operands. */
static void read_abbreviated(Reader *r, const Abbrev *abbrev)
{
    for (uint32_t i = 0; i < abbrev->n && !r->bad; i++) {
        if (abbrev->ops[i].encoding == ARRAY) {
            read_array(r, &abbrev->ops[i + 1]);
            return;
        }
        if (abbrev->ops[i].encoding == BLOB)
            skip_blob(r);
        else
            vec_push(&r->operands, read_scalar(r, &abbrev->ops[i]));
    }
}

static void read_unabbreviated(Reader *r)
{
    vec_push(&r->operands, take_vbr(r, 6));
    uint64_t n = take_vbr(r, 6);
    for (uint64_t i = 0; i < n && !r->bad; i++)
        vec_push(&r->operands, take_vbr(r, 6));
}

static void remember_for_block(Reader *r, unsigned block, Abbrev abbrev)
{
    if (r->ninfo == r->info_room) {
        r->info_room = r->info_room ? 2 * r->info_room : 32;
        r->info = mem_realloc(r->info, r->info_room * sizeof *r->info);
    }
    r->info[r->ninfo].block = block;
    r->info[r->ninfo++].abbrev = abbrev;
}

static void read_block(Reader *r, unsigned block, unsigned width, unsigned depth);

static void read_subblock(Reader *r, unsigned depth)
{
    unsigned block = (unsigned)take_vbr(r, 8), width = (unsigned)take_vbr(r, 4);
    align(r);
    uint64_t words = take(r, 32);
    if (r->bad || words > (r->end - r->at) / 32 || depth >= MAX_DEPTH || width < 2 || width > 32) {
        r->bad = true;
        return;
    }
    uint64_t end = r->at + words * 32;
    if (block == BLOCKINFO || r->visitor->enter(r->context, block))
        read_block(r, block, width, depth);
    r->at = end;
}

static void read_record(Reader *r, const AbbrevVec *abbrevs, uint64_t id)
{
    vec_clear(&r->operands);
    if (id == UNABBREV_RECORD)
        read_unabbreviated(r);
    else if (id - FIRST_ABBREV < abbrevs->n)
        read_abbreviated(r, &abbrevs->v[id - FIRST_ABBREV]);
    else
        r->bad = true;
    r->bad |= r->operands.n == 0;
}

static void read_block(Reader *r, unsigned block, unsigned width, unsigned depth)
{
    AbbrevVec abbrevs = {0};
    unsigned described = UINT32_MAX; /* the kind of block that BLOCKINFO is about */
    for (uint32_t i = 0; i < r->ninfo; i++)
        if (r->info[i].block == block)
            vec_push(&abbrevs, r->info[i].abbrev);
    while (!r->bad) {
        uint64_t id = take(r, width);
        if (r->bad || id == END_BLOCK)
            break;
        if (id == ENTER_SUBBLOCK) {
            read_subblock(r, depth + 1);
        } else if (id == DEFINE_ABBREV) {
            Abbrev abbrev = read_abbrev(r);
            if (block == BLOCKINFO)
                remember_for_block(r, described, abbrev);
            else
                vec_push(&abbrevs, abbrev);
        } else {
            read_record(r, &abbrevs, id);
            if (r->bad)
                break;
            if (block != BLOCKINFO)
                r->visitor->record(r->context, block, (unsigned)r->operands.v[0], r->operands.v + 1,
                                   r->operands.n - 1);
            else if (r->operands.v[0] == SETBID && r->operands.n > 1)
                described = (unsigned)r->operands.v[1];
        }
    }
    vec_free(&abbrevs);
}

/* Some systems wrap bitcode in a header that says where it starts. */
static void skip_wrapper(Reader *r)
{
    if (take(r, 32) != 0x0b17c0de) {
        r->at = 0;
        return;
    }
    take(r, 32);
    uint64_t offset = take(r, 32) * 8;
    r->bad |= offset > r->end;
    r->at = r->bad ? 0 : offset;
}

bool bitstream_walk(const void *bytes, size_t size, const BitstreamVisitor *visitor, void *context)
{
    Reader r = {.bytes = bytes,
                .end = (uint64_t)size * 8,
                .visitor = visitor,
                .context = context,
                .arena = arena_new()};
    skip_wrapper(&r);
    r.bad |= take(&r, 32) != 0xdec04342;
    while (!r.bad && r.end - r.at >= 64) { /* top-level blocks; padding may follow */
        if (take(&r, 2) != ENTER_SUBBLOCK)
            break;
        read_subblock(&r, 0);
    }
    arena_free(r.arena);
    mem_free(r.info);
    vec_free(&r.operands);
    return !r.bad;
}
