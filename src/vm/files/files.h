/* files.h - private to vm: streams of output, and the rendering of their items.
 *
 * What a program prints is a VmStream: text, and over parts of that text the items it was rendered from
 * (conversion, width, precision, value). In a concrete run the text is all that is wanted; the items stay
 * beside it because a symbolic value must be compared and reported as a value, not as the digits that one
 * input gives. */
#ifndef SHEAF_VM_FILES_H
#define SHEAF_VM_FILES_H

#include "vm/core/prim.h"

enum { /* flags of a conversion */
       ITEM_LEFT = 1,
       ITEM_PLUS = 2,
       ITEM_BLANK = 4,
       ITEM_ALTERNATE = 8,
       ITEM_ZERO = 16,
       ITEM_GROUP = 32
};

typedef struct VmItem {
    uint32_t start, length;   /* of its text in the stream */
    uint32_t skip;            /* how much of what it renders to stands before start: 0, or it was cut */
    int32_t width, precision; /* 0: no width; -1: no precision */
    char conversion;          /* d i u o x X c p e E f F g G a A */
    uint8_t flags, size;      /* ITEM_…; bytes of value */
    uint8_t value[16];
    uint32_t expr; /* of the value, in a symbolic run; 0: it is concrete */
} VmItem;

/* Bounded: what no longer fits into `limit` bytes (0: no limit) is counted and dropped. */
typedef struct VmStream {
    Str text;
    Vec(VmItem) items; /* in order; between them the text is literal */
    size_t limit;
    uint64_t dropped; /* bytes beyond the limit */
} VmStream;

void vm_stream_add(VmStream *stream, const char *text, size_t size);
/* The item's start and length are set here. */
void vm_stream_add_item(VmStream *stream, const VmItem *item, const char *text, size_t size);
/* Takes `size` bytes off the front of `from` and adds them to `to` (which may be NULL). An item that this
 * cuts in two becomes two, each with its part of the text. */
void vm_stream_take(VmStream *from, size_t size, VmStream *to);
void vm_stream_clear(VmStream *stream);
void vm_stream_free(VmStream *stream);

/* Longest field that a run may print at once, against "%*d" with a width of two thousand million. */
enum { ITEM_FIELD_LIMIT = 1 << 24 };

/* Reads flags and conversion letter as __sheaf_emit takes them; false if they are none, or size does not fit
 * them. */
bool vm_item_parse(VmItem *item, const char *spec, long width, long precision, size_t size);
/* Appends what printf would print for the item. The format is rebuilt from the item, never the program's
 * own. */
void vm_item_render(const VmItem *item, Str *out);
static inline bool vm_item_is_float(const VmItem *item)
{
    return strchr("eEfFgGaA", item->conversion) != NULL;
}

/* ---- the modelled file system: tree.c -------------------------------------------------------- */

/* A node is what a name or a descriptor leads to; it lives as long as one of them does. Nodes, descriptions
 * and descriptors refer to each other by index, so that the whole can be copied. */
typedef enum NodeKind {
    NODE_FREE,
    NODE_FILE,
    NODE_DIRECTORY,
    NODE_PIPE, /* data from head on is still to be read */
    NODE_NULL,
    NODE_ZERO,
    NODE_FULL,
    NODE_RANDOM,
    NODE_INPUT,  /* the run's standard input */
    NODE_OUTPUT, /* the run's standard output or error, or a stream of the caller that is written */
    NODE_GIVEN,  /* a stream of the caller that was not used yet; one that is read is a NODE_FILE */
} NodeKind;

typedef struct Node {
    NodeKind kind;
    uint32_t mode; /* permission bits */
    uint32_t names, opens;
    uint32_t readers, writers; /* descriptions, of a pipe */
    uint32_t inode;
    int output; /* of NODE_OUTPUT: index into VmFiles.out */
    uint8_t *data;
    size_t size, cap, head;
    uint32_t *syms; /* expressions of bytes (0: concrete), as many as cap; NULL: none */
    uint32_t input; /* 1 + which symbolic file of the run it is at first; 0: none */
    uint32_t given; /* of a stream of the caller: its shape (sym_stream.c); 0: it is none */
} Node;

/* What open() makes: shared by the descriptors that dup makes of it. */
typedef struct Open {
    uint32_t node;
    uint32_t descriptors; /* 0: this slot is free */
    int flags;
    int64_t offset;
    char *path; /* of a directory; else NULL */
} Open;

/* What waits behind a descriptor number as in a FILE's buffer; it stays when the descriptor is closed or
 * replaced, as the FILE does. */
typedef struct Pending {
    VmStream stream;
    size_t limit;
    bool lines;
    uint64_t delivered; /* bytes that have gone out */
} Pending;

typedef struct Descriptor {
    uint32_t open; /* index + 1; 0: closed */
    bool close_on_exec;
    Pending *pending; /* NULL: nothing waits, and the buffer is as it is at first */
} Descriptor;

/* An output of a run: standard output and error, and streams of the caller. */
typedef struct Output {
    uint32_t given; /* of a stream of the caller: its shape; 0: it is none */
    int fd;         /* of the host, or -1 */
    int error;      /* errno of a write that failed, or 0 */
    bool terminal;
    Str buffer; /* written by the program, not yet to fd */
    VmStream kept;
} Output;

enum {
    FILES_DESCRIPTORS = 1024,
    FILES_NODES = 1 << 16,
    FILES_BYTES = 256 << 20, /* of all modelled files together */
    FILES_PATH = 4096,
    FILES_NAME = 255,
    FILES_PIPE = 65536,
    FILES_BUFFER = 4096, /* of a FILE: st_blksize natively */
    FILES_KEPT = 16 << 20,
    FILES_HOST_BUFFER = 1 << 16,
    FILES_OUTPUTS = 8 /* standard output and error, and streams of the caller that are written */
};

struct VmFiles {
    Vec(Node) nodes;
    Vec(Open) opens;
    Vec(Descriptor) fds; /* those behind them were never used in this run */
    StrMap names;        /* absolute path to node */
    Str cwd;
    size_t bytes;    /* held by all nodes */
    uint32_t inodes; /* made so far */
    uint64_t random;
    Output out[FILES_OUTPUTS];
    Str spec, text; /* of the item under way: kept, so that an item allocates nothing */
    long left;      /* of the last one: characters that were not taken, or -errno */
    int in_fd;      /* the host's standard input, or -1: in_data */
    bool in_seekable;
    int64_t in_start; /* where in_fd stood at first, if it can seek */
    const uint8_t *in_data;
    size_t in_size;
};

void files_tree_reset(VmFiles *files);
void files_tree_free(VmFiles *files);
/* Turns a path into an absolute one without ".", ".." and doubled slashes; every directory on the way must
 * exist. Returns 0 or -errno. *must_be_directory is set by a trailing slash or dot. */
int files_resolve(VmFiles *files, const char *path, Str *absolute, bool *must_be_directory);
/* The node at an absolute path, devices included, or -ENOENT. */
int64_t files_find(VmFiles *files, const char *absolute);
/* New node without a name; -ENOSPC at the limit. */
int64_t files_node_new(VmFiles *files, NodeKind kind, uint32_t mode);
/* Gives the node a name; the parent directory exists. -EACCES if the parent may not be written. */
int files_link(VmFiles *files, const char *absolute, uint32_t node);
/* Drops the node if nothing leads to it any more. */
void files_node_release(VmFiles *files, uint32_t node);
/* -ENOSPC beyond the budget; bytes that are new are zero. */
int files_node_resize(VmFiles *files, Node *node, size_t size);
/* A file that the environment provides, with the directories above it. */
void files_provide(VmFiles *files, const VmFile *file);
/* Index + 1 of the next entry of a directory, from entry index `from` on; 0 at the end. */
uint32_t files_next_in(VmFiles *files, const char *directory, uint32_t from);

/* ---- descriptors: files.c -------------------------------------------------------------------- */

Open *files_open_of(VmFiles *files, int64_t fd);      /* NULL: no such descriptor */
Descriptor *files_descriptor(VmFiles *files, int fd); /* open or not, from 0 to FILES_DESCRIPTORS - 1 */
/* Hands a result to the program, or ends the run if it is FILES_BLOCKED: what natively would wait for
 * ever. */
enum { FILES_BLOCKED = -1000 };
bool files_finish(PrimCall *call, long result);
/* A descriptor for a stream of the caller, of that shape; -errno. And it is written: false if there are too
 * many of them. */
int files_given(VmFiles *files, uint32_t shape);
bool files_given_output(VmFiles *files, Node *node);
/* Writes to a descriptor; bytes written or -errno. If they went to an output of the run, *kept is its record,
 * to which the caller adds them; else NULL. */
long files_write(VmFiles *files, int fd, const char *data, size_t size, VmStream **kept);
/* A byte written just now, `back` bytes before the position reached, has this expression. */
void files_mark(VmFiles *files, int fd, size_t back, uint32_t expr);
/* What the program has written to its standard output (1) or standard error (2) in this run. */
const VmStream *vm_files_output(const VmFiles *files, int which);

/* ---- buffers: stream.c ----------------------------------------------------------------------- */

/* Writes literal text (item NULL) or an item's text, through the buffer of the descriptor if asked to; bytes
 * or -errno. */
long files_send(VmFiles *files, int fd, bool pending, const char *text, size_t size, const VmItem *item);
bool files_emit(PrimCall *call, int fd, bool pending, const Str *text, const VmItem *item);
bool files_put(PrimCall *call, bool (*write)(PrimCall *)); /* by what writes, if there is anything */
long files_pending_control(VmFiles *files, int fd, int what, long value);
void files_pending_flush_all(VmFiles *files);
void files_output_flush(VmFiles *files);
void files_output_add(VmFiles *files, int which, const char *data, size_t size);

enum {
#define CONTROL(NAME) FILES_CONTROL_##NAME,
#include "../../../runtime/control.def"
#undef CONTROL
};
#define FILES_PENDING (1u << 30)
#define FILES_LINES   (INT64_C(1) << 32)

#endif
