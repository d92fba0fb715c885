/* obtain.h - two versions of a program, from what the user names: files, directories, git revisions, the work
 * tree.
 *
 * A revision is laid out in a temporary directory, which goes away with the process, however that ends. The
 * work tree and .git are never written. Whatever cannot be used (no git, no repository, no such revision) is
 * one line and exit status 2. */
#ifndef SHEAF_CLI_OBTAIN_H
#define SHEAF_CLI_OBTAIN_H

#include "cli/command.h"
#include "cli/scratch.h"

/* One of two versions. Texts live in the arena of the Obtained. */
typedef struct Version {
    const char *name; /* as the user says it: "HEAD~1", "old.c", "work tree" */
    const char
        *root; /* absolute directory that sites are relative to; NULL: of a file, which is named as given */
    FrontendOptions
        program;  /* inputs or compdb, cflags, root; without runtime and entry: for program_load_options */
    bool is_copy; /* root is temporary */
} Version;

/* What "same" would not mean: */
typedef enum ObtainNote {
    OBTAIN_FLAGS,        /* a source is compiled with other flags */
    OBTAIN_NOT_COMPILED, /* changed lines that the preprocessor leaves out in one of the versions */
    OBTAIN_NOT_PART,     /* a changed file that is no part of the program */
    OBTAIN_MISSING       /* a file that one version does not have */
} ObtainNote;
typedef struct ObtainedNote {
    ObtainNote kind;
    const char *text; /* one line */
} ObtainedNote;

typedef struct Obtained {
    Arena *arena;
    Version old, new;
    Vec(ObtainedNote) notes;
    StrVec changed; /* files whose text differs, relative to the roots; of two files NEW's name */
    /* private: */
    bool in_git;       /* git has said what changed */
    Scratch temporary; /* no path: none was needed */
} Obtained;

/* Reads the plain arguments: none (HEAD and the work tree), REV (and the work tree), A..B, A...B (from where
 * they part), or OLD NEW; behind "--" paths. `build`: a shell command to be run in the copy of each revision,
 * or NULL. Dies on what cannot be used. */
void obtain_versions(const ProgramSettings *settings, const OptionArgs *args, const char *build,
                     Obtained *out);
void obtain_free(Obtained *o);

/* Adds files below root/path that `selects` accepts, or the file root/path itself, named from the root, in no
 * order. Hidden ones are left out. */
void obtain_walk(Arena *a, const char *root, const char *path, bool (*selects)(const char *path),
                 StrVec *out);
/* obtain_lines.c. A note that is there already is not made again. */
void obtain_note(Obtained *o, ObtainNote kind, const char *text);
/* Fills notes and changed. */
void obtain_compare(Obtained *o);

/* obtain_git.c. Texts live in the arena. */
typedef struct Repository {
    const char *top;    /* absolute; NULL: none here */
    const char *prefix; /* of this directory in it: "src/", or "" */
    bool no_git;        /* there is no program git */
} Repository;
Repository repository_find(Arena *a);
/* The commit that a revision names, 40 digits or more; NULL: none. */
const char *repository_commit(const Repository *r, Arena *a, const char *revision);
const char *repository_merge_base(const Repository *r, Arena *a, const char *one, const char *other);
/* Lays out all files of a commit in a directory. Dies if there are too many. */
void repository_lay_out(const Repository *r, const char *commit, const char *index, const char *directory);
/* Paths, relative to the top, of files that differ between two commits; `to` NULL: the work tree, untracked
 * files included. */
void repository_changed(const Repository *r, Arena *a, const char *from, const char *to, StrVec *paths);
/* All paths of a commit (NULL: tracked and new ones of the work tree). */
void repository_files(const Repository *r, Arena *a, const char *commit, StrVec *paths);

#endif
