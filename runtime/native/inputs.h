/* inputs.h - inputs that the program asks for, in the order of its calls. Part of replay.c. */

/* The same name again gets a number: "x", "x_1", "x#2". */
static bool sheaf_replay_same_name(const char *has, const char *asked)
{
    size_t n = strlen(asked);
    if (strncmp(has, asked, n))
        return false;
    return !has[n] ||
           (strchr("_#@", has[n]) && has[n + 1] && strspn(has + n + 1, "0123456789") == strlen(has + n + 1));
}

static void sheaf_replay_input(void *to, size_t size, const char *name)
{
    sheaf_replay_load();
    if (!size)
        return; /* tests do not hold inputs without bytes */
    if (!sheaf_replay.present) {
        memset(to, 0, size);
        return;
    }
    unsigned i = sheaf_replay.next;
    while (i < sheaf_replay.n &&
           (strcmp(sheaf_replay.objects[i].origin, "call") || !sheaf_replay.objects[i].size))
        i++;
    const SheafReplayObject *object = i < sheaf_replay.n ? &sheaf_replay.objects[i] : NULL;
    if (!object || object->size != size || !sheaf_replay_same_name(object->name, name))
        sheaf_replay_mismatch(name, size, object);
    sheaf_replay.next = i + 1;
    memcpy(to, object->data, size);
}
