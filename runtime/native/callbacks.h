/* callbacks.h - functions that the entry gets as arguments. Part of replay.c. */

/* Functions that the entry gets as arguments. Each has a stub, which returns what the test holds next. */
enum { SHEAF_CALLBACKS = 16 };
static unsigned sheaf_callback_of[SHEAF_CALLBACKS], sheaf_callbacks; /* their objects */

static char sheaf_replay_returns(unsigned stub)
{
    return *(const char *)sheaf_replay.objects[sheaf_callback_of[stub]].data;
}

/* The next result, which must be of this stub; its pointers are set. */
static void sheaf_replay_result(unsigned stub, void *to, size_t size)
{
    static unsigned next;
    char name[256];
    snprintf(name, sizeof name, "%s()", sheaf_replay.objects[sheaf_callback_of[stub]].name + 1);
    while (next < sheaf_replay.n && !sheaf_replay_is(&sheaf_replay.objects[next], "result"))
        next++;
    const SheafReplayObject *o = next < sheaf_replay.n ? &sheaf_replay.objects[next] : NULL;
    if (!o || !sheaf_replay_same_name(o->name, name) || o->size > size)
        sheaf_replay_mismatch(name, size, o);
    memset(to, 0, size);
    memcpy(to, sheaf_replay.memory[next++], o->size);
}

/* All that is returned in the register for whole numbers, extended as a caller may rely on. */
static uint64_t sheaf_replay_word(unsigned stub)
{
    uint64_t word = 0;
    if (sheaf_replay_returns(stub) != 'v')
        sheaf_replay_result(stub, &word, sizeof word);
    switch (sheaf_replay_returns(stub)) {
    case 'b': return word & 1;
    case 'c': return (uint64_t)(int64_t)(int8_t)word;
    case 'h': return (uint64_t)(int64_t)(int16_t)word;
    default: return word;
    }
}

typedef long double sheaf_long_double;
#define SHEAF_STUB_OF(type, k)                        \
    static type sheaf_stub_##type##_##k(void)         \
    {                                                 \
        type value;                                   \
        sheaf_replay_result(k, &value, sizeof value); \
        return value;                                 \
    }
#define SHEAF_STUB(k)                                                          \
    static uint64_t sheaf_stub_word_##k(void) { return sheaf_replay_word(k); } \
    SHEAF_STUB_OF(float, k) SHEAF_STUB_OF(double, k) SHEAF_STUB_OF(sheaf_long_double, k)
#define SHEAF_STUB_ROW(k)                                                                      \
    {(void *)sheaf_stub_word_##k, (void *)sheaf_stub_float_##k, (void *)sheaf_stub_double_##k, \
     (void *)sheaf_stub_sheaf_long_double_##k},
#define SHEAF_STUB_ALL(X) \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
SHEAF_STUB_ALL(SHEAF_STUB)

static void *sheaf_replay_stub(unsigned object)
{
    static void *const stubs[SHEAF_CALLBACKS][4] = {SHEAF_STUB_ALL(SHEAF_STUB_ROW)};
    if (sheaf_callbacks == SHEAF_CALLBACKS) {
        sheaf_replay_event("mismatch", "more than %d callbacks", (int)SHEAF_CALLBACKS);
        _exit(SHEAF_STATUS_MISMATCH);
    }
    unsigned stub = sheaf_callbacks++;
    sheaf_callback_of[stub] = object;
    char returns = sheaf_replay_returns(stub);
    return stubs[stub][returns == 'f' ? 1 : returns == 'd' ? 2 : returns == 'l' ? 3 : 0];
}
