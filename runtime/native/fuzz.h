/* fuzz.h - a main for fuzz targets. Part of replay.c. */

SHEAF_WEAK int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
SHEAF_WEAK int LLVMFuzzerInitialize(int *argc, char ***argv);

SHEAF_WEAK int main(int argc, char **argv)
{
    int status = 0;
    sheaf_replay_load();
    if (!LLVMFuzzerTestOneInput) {
        sheaf_replay_event("mismatch", "the program has neither main nor LLVMFuzzerTestOneInput");
        return SHEAF_STATUS_MISMATCH;
    }
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (unsigned i = 0; i < sheaf_replay.n; i++) {
        const SheafReplayObject *o = &sheaf_replay.objects[i];
        if (!sheaf_replay_is(o, "fuzz"))
            continue;
        sheaf_replay.own++;
        uint8_t *copy = malloc(o->size); /* exactly, so that a sanitizer knows its bounds */
        sheaf_replay.own--;
        if (!copy)
            abort();
        memcpy(copy, o->data, o->size);
        status = LLVMFuzzerTestOneInput(copy, o->size);
        free(copy);
    }
    return status;
}
