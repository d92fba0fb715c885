/* obtain.c - from OLD and NEW as the user names them to two programs that can be loaded. */
#include "cli/obtain.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WALK_DEPTH = 64, WALK_MOST = 1 << 20 };

/* A version before anything was laid out. */
typedef struct Named {
    const char *name;
    enum { NAMED_FILE, NAMED_DIRECTORY, NAMED_REVISION, NAMED_WORK_TREE } kind;
    const char *commit; /* of a revision */
} Named;

typedef struct Obtaining {
    const ProgramSettings *settings;
    const OptionArgs *args;
    const char *build;
    Repository repository;
    Obtained *out;
    Arena *a;
} Obtaining;

static const char *temporary(Obtaining *ob)
{
    Obtained *o = ob->out;
    if (!o->temporary.path)
        o->temporary = scratch_make();
    return o->temporary.path;
}

void obtain_free(Obtained *o)
{
    scratch_free(&o->temporary);
    Version *both[] = {&o->old, &o->new};
    for (size_t i = 0; i < COUNT_OF(both); i++) {
        vec_free(&both[i]->program.inputs);
        vec_free(&both[i]->program.cflags);
        vec_free(&both[i]->program.targets);
        vec_free(&both[i]->program.absent);
    }
    vec_free(&o->notes);
    vec_free(&o->changed);
    arena_free(o->arena);
    *o = (Obtained){0};
}

/* ---- which versions -------------------------------------------------------------------------- */

_Noreturn static void die_unknown(const Obtaining *ob, const char *word)
{
    if (ob->repository.no_git)
        die("'%s' is neither a file nor a directory, and git, which is needed for revisions, is not "
            "installed",
            word);
    if (!ob->repository.top)
        die("'%s' is neither a file nor a directory, and this directory is in no git repository", word);
    die("'%s' is neither a file, nor a directory, nor a revision of this git repository", word);
}

static Named revision(Obtaining *ob, const char *word)
{
    const char *commit = repository_commit(&ob->repository, ob->a, word);
    if (!commit)
        die_unknown(ob, word);
    return (Named){.name = word, .kind = NAMED_REVISION, .commit = commit};
}

static Named named(Obtaining *ob, const char *word)
{
    struct stat st;
    if (!*word)
        die("an empty name is no version");
    if (stat(word, &st))
        return revision(ob, word);
    if (repository_commit(&ob->repository, ob->a, word))
        die("'%s' is a revision and a file: write ./%s for the file, or refs/heads/%s for the branch", word,
            word, word);
    return (Named){.name = word, .kind = S_ISDIR(st.st_mode) ? NAMED_DIRECTORY : NAMED_FILE};
}

static Named work_tree(void) { return (Named){.name = "work tree", .kind = NAMED_WORK_TREE}; }

/* "A..B" and "A...B": false if it is no such range. What is left out is HEAD. */
static bool range(Obtaining *ob, const char *word, Named *old, Named *new)
{
    const char *dots = strstr(word, "..");
    if (!dots || dots[2] == '/' || file_exists(word)) /* "../old" */
        return false;
    bool three = dots[2] == '.';
    const char *from = dots == word ? "HEAD" : arena_strndup(ob->a, word, (size_t)(dots - word)),
               *to = dots + (three ? 3 : 2);
    *old = revision(ob, from);
    *new = revision(ob, *to ? to : "HEAD");
    if (three) {
        old->commit = repository_merge_base(&ob->repository, ob->a, old->commit, new->commit);
        old->name = arena_printf(ob->a, "where %s and %s part", from, new->name);
        if (!old->commit)
            die("%s: these revisions have no commit in common", word);
    }
    return true;
}

static void read_arguments(Obtaining *ob, Named *old, Named *new)
{
    const StrVec *words = &ob->args->plain;
    if (words->n > 2)
        die("two versions are compared, and %u are named: files after \"--\" choose parts of them", words->n);
    if (words->n == 2) {
        *old = named(ob, words->v[0]);
        *new = named(ob, words->v[1]);
        if ((old->kind == NAMED_FILE) != (new->kind == NAMED_FILE))
            die("'%s' is a file, '%s' is none: name two files, or two directories or revisions",
                old->kind == NAMED_FILE ? old->name : new->name,
                old->kind == NAMED_FILE ? new->name : old->name);
        return;
    }
    if (words->n == 1 && range(ob, words->v[0], old, new))
        return;
    *new = work_tree();
    if (words->n == 1 && file_exists(words->v[0]))
        die("'%s' is one version, and two are needed", words->v[0]);
    *old = revision(ob, words->n ? words->v[0] : "HEAD");
}

/* ---- where they are -------------------------------------------------------------------------- */

static const char *real_path(Arena *a, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy = real ? arena_strdup(a, real) : NULL;
    free(real);
    return copy;
}

static void run_build(const Obtaining *ob, const Version *v)
{
    pid_t child = fork();
    int status = -1;
    if (child < 0)
        die("cannot make a process: %s", strerror(errno));
    if (!child) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* what a build says is no result of ours */
        if (!chdir(v->root))
            execl("/bin/sh", "sh", "-c", ob->build, (char *)NULL);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        die("--build '%s' fails for %s", ob->build, v->name);
}

static void place(Obtaining *ob, const Named *n, const char *as, Version *v)
{
    v->name = n->name;
    switch (n->kind) {
    case NAMED_FILE: return;
    case NAMED_DIRECTORY: v->root = real_path(ob->a, n->name); break;
    case NAMED_WORK_TREE: v->root = real_path(ob->a, ob->repository.top); break;
    case NAMED_REVISION:
        v->root = arena_printf(ob->a, "%s/%s", temporary(ob), as);
        v->is_copy = true;
        repository_lay_out(&ob->repository, n->commit, arena_printf(ob->a, "%s/%s.index", temporary(ob), as),
                           v->root);
        if (ob->build)
            run_build(ob, v);
        break;
    }
    if (!v->root)
        die("%s: %s", n->name, strerror(errno));
}

/* ---- what the program is made of ------------------------------------------------------------- */

/* Where builds leave their database. */
static const char *find_database(Arena *a, const char *root)
{
    static const char *const places[] = {"%s/compile_commands.json", "%s/build/compile_commands.json"};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        Str path = {0};
        str_printf(&path, places[i], root);
        const char *found = file_exists(str_text(&path)) ? arena_strdup(a, str_text(&path)) : NULL;
        str_free(&path);
        if (found)
            return found;
    }
    return NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void walk(Arena *a, const char *root, const char *path, uint32_t depth,
                 bool (*selects)(const char *path), StrVec *out)
{
    const char *full = *path ? arena_printf(a, "%s/%s", root, path) : root;
    struct stat st;
    if (lstat(full, &st) || out->n > WALK_MOST)
        return;
    if (S_ISREG(st.st_mode) && (selects(path) || !depth))
        vec_push(out, path);
    DIR *dir = S_ISDIR(st.st_mode) && depth < WALK_DEPTH ? opendir(full) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            walk(a, root, *path ? arena_printf(a, "%s/%s", path, e->d_name) : arena_strdup(a, e->d_name),
                 depth + 1, selects, out);
    if (dir)
        closedir(dir);
}

void obtain_walk(Arena *a, const char *root, const char *path, bool (*selects)(const char *path), StrVec *out)
{
    walk(a, root, path, 0, selects, out);
}

static bool is_source(const char *path) { return text_ends_with(path, ".c"); }

static void sources_of(Obtaining *ob, const Named *n, const Version *v, const StrVec *paths, StrVec *out)
{
    StrVec all = {0};
    if (!paths->n && (n->kind == NAMED_REVISION || n->kind == NAMED_WORK_TREE)) {
        repository_files(&ob->repository, ob->a, n->commit, &all);
        for (uint32_t i = 0; i < all.n; i++)
            if (text_ends_with(all.v[i], ".c") &&
                file_exists(arena_printf(ob->a, "%s/%s", v->root, all.v[i])))
                vec_push(out, all.v[i]);
    } else if (!paths->n) {
        obtain_walk(ob->a, v->root, "", is_source, out);
    }
    for (uint32_t i = 0; i < paths->n; i++)
        obtain_walk(ob->a, v->root, paths->v[i], is_source, out);
    qsort(out->v, out->n, sizeof *out->v, by_text);
    vec_free(&all);
}

/* Paths behind "--" as they stand in both versions: seen from here in a repository, else from the roots. */
static void read_paths(const Obtaining *ob, const Named *n, StrVec *out)
{
    bool inside = n->kind == NAMED_REVISION || n->kind == NAMED_WORK_TREE;
    for (uint32_t i = 0; i < ob->args->rest.n; i++) {
        const char *path = ob->args->rest.v[i];
        while (text_starts_with(path, "./"))
            path += 2;
        if (*path == '/' || strstr(path, "..") || !*path)
            die("'%s': paths after \"--\" are names within both versions", ob->args->rest.v[i]);
        size_t n_path = strlen(path);
        while (n_path > 1 && path[n_path - 1] == '/')
            n_path--;
        const char *tidy = !strcmp(path, ".") ? "" : arena_strndup(ob->a, path, n_path);
        const char *in = inside && *ob->repository.prefix
                             ? arena_printf(ob->a, "%s%s", ob->repository.prefix, tidy)
                             : tidy;
        n_path = strlen(in);
        vec_push(out, n_path && in[n_path - 1] == '/' ? arena_strndup(ob->a, in, n_path - 1) : in);
    }
}

/* Is the path, or what it leads to from here, below the directory? */
static bool is_below(Arena *a, const char *directory, const char *path)
{
    const char *real = path ? real_path(a, path) : NULL;
    size_t n = strlen(directory);
    return real && !strncmp(real, directory, n) && real[n] == '/';
}

/* The flags that the user gives are meant from here, where the work tree is: the same places in the
 * version. */
static void take_flags(Obtaining *ob, Version *v, const char *from)
{
    OptionArgs none = {0};
    FrontendOptions *p = &v->program;
    *p = program_frontend(ob->settings, &none, ob->a);
    p->targets = (StrVec){0};
    p->root = v->root;
    if (!v->root || !from || !strcmp(from, v->root))
        return;
    StrVec flags = p->cflags;
    char *here = getcwd(NULL, 0);
    p->mapped = from;
    p->cflags = (StrVec){0};
    frontend_map_flags(p, ob->a, here ? here : "/", &flags, &p->cflags);
    free(here);
    vec_free(&flags);
}

/* The directory that compilation databases and the user's flags are about: the work tree of a revision; of
 * two directories NEW, unless only OLD has a database. NULL of files. */
static const char *reference(Obtaining *ob, const Version *v, const Version *other)
{
    if (v->is_copy)
        return real_path(ob->a, ob->repository.top);
    if (!v->root || !other->root || other->is_copy)
        return v->root;
    bool is_new = v == &ob->out->new;
    return is_new == (find_database(ob->a, is_new ? v->root : other->root) ||
                      !find_database(ob->a, is_new ? other->root : v->root))
               ? v->root
               : other->root;
}

/* Paths behind "--" that the version has, or none has: those may name what a target is called otherwise. */
static void take_targets(Obtaining *ob, Version *v, const Version *other, const StrVec *paths)
{
    for (uint32_t i = 0; i < paths->n && *paths->v[i]; i++) {
        bool here = !access(arena_printf(ob->a, "%s/%s", v->root, paths->v[i]), F_OK),
             there = other->root && !access(arena_printf(ob->a, "%s/%s", other->root, paths->v[i]), F_OK);
        if (here || !there)
            vec_push(&v->program.targets, paths->v[i]);
        else
            obtain_note(ob->out, OBTAIN_MISSING, arena_printf(ob->a, "%s has no %s", v->name, paths->v[i]));
    }
    if (paths->n && *paths->v[0] && !v->program.targets.n)
        die("%s has no C file of these names: %s%s", v->name, paths->v[0], paths->n > 1 ? ", ..." : "");
}

static void make_program(Obtaining *ob, const Named *n, Version *v, const Version *other)
{
    const char *at = reference(ob, v, other);
    FrontendOptions *p = &v->program;
    StrVec paths = {0};
    take_flags(ob, v, at);
    if (n->kind == NAMED_FILE) {
        vec_push(&p->inputs, n->name);
        return;
    }
    const char *own = find_database(ob->a, v->root), *given = ob->settings->compdb;
    p->compdb = given && (is_below(ob->a, v->root, given) || !own) ? given
                : own                                              ? own
                : given                                            ? given
                                                                   : find_database(ob->a, at);
    if (p->compdb && is_below(ob->a, v->root, p->compdb) && !v->is_copy)
        p->mapped = NULL; /* its own */
    read_paths(ob, n, &paths);
    for (uint32_t i = 0; i < ob->settings->targets.n; i++)
        vec_push(&p->targets, ob->settings->targets.v[i]);
    if (p->compdb) {
        take_targets(ob, v, other, &paths);
    } else {
        StrVec found = {0};
        sources_of(ob, n, v, &paths, &found);
        for (uint32_t i = 0; i < found.n; i++)
            vec_push(&p->inputs, arena_printf(ob->a, "%s/%s", v->root, found.v[i]));
        vec_free(&found);
    }
    vec_free(&paths);
}

static void find_changed(Obtaining *ob, const Named *old, const Named *new)
{
    Obtained *o = ob->out;
    o->in_git = old->kind == NAMED_REVISION && (new->kind == NAMED_REVISION || new->kind == NAMED_WORK_TREE);
    if (o->in_git) /* else obtain_compare looks at all files */
        repository_changed(&ob->repository, ob->a, old->commit, new->commit, &o->changed);
}

/* Files of the work tree that the revision does not have. What git ignores is generated, and is used for
 * every revision. */
static void find_absent(Obtaining *ob, const Named *n, Version *v)
{
    StrVec here = {0}, there = {0};
    StrMap has = {0};
    if (!v->is_copy || !v->program.compdb)
        return;
    repository_files(&ob->repository, ob->a, NULL, &here);
    repository_files(&ob->repository, ob->a, n->commit, &there);
    for (uint32_t i = 0; i < there.n; i++)
        strmap_put(&has, there.v[i], 1);
    for (uint32_t i = 0; i < here.n; i++)
        if (!strmap_get(&has, here.v[i], NULL))
            vec_push(&v->program.absent, here.v[i]);
    strmap_free(&has);
    vec_free(&here);
    vec_free(&there);
}

static void check_inputs(const Obtaining *ob, const Version *v)
{
    if (v->program.compdb || v->program.inputs.n)
        return;
    if (ob->args->rest.n)
        die("%s has no C file of these names: %s%s", v->name, ob->args->rest.v[0],
            ob->args->rest.n > 1 ? ", ..." : "");
    die("%s has no C file", v->name);
}

void obtain_versions(const ProgramSettings *settings, const OptionArgs *args, const char *build,
                     Obtained *out)
{
    Named old, new;
    *out = (Obtained){.arena = arena_new()};
    Obtaining ob = {.settings = settings, .args = args, .build = build, .out = out, .a = out->arena};
    ob.repository = repository_find(ob.a);
    read_arguments(&ob, &old, &new);
    if (old.kind == NAMED_FILE && args->rest.n)
        die("paths after \"--\" choose parts of directories and revisions, and '%s' is a file", old.name);
    place(&ob, &old, "old", &out->old);
    place(&ob, &new, "new", &out->new);
    make_program(&ob, &new, &out->new, &out->old);
    make_program(&ob, &old, &out->old, &out->new);
    find_absent(&ob, &old, &out->old);
    find_absent(&ob, &new, &out->new);
    find_changed(&ob, &old, &new);
    check_inputs(&ob, &out->old);
    check_inputs(&ob, &out->new);
    if (old.kind == NAMED_FILE) /* __FILE__ shall not make the difference */
        vec_push(&out->old.program.cflags,
                 arena_printf(ob.a, "-fmacro-prefix-map=%s=%s", old.name, new.name));
    obtain_compare(out);
}
