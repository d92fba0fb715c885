/* svcomp.h - the functions of SV-COMP and Test-Comp. Part of replay.c. */

#define SHEAF_NONDET(type, suffix)                                              \
    type __VERIFIER_nondet_##suffix(void);                                      \
    SHEAF_WEAK type __VERIFIER_nondet_##suffix(void)                            \
    {                                                                           \
        type value;                                                             \
        sheaf_replay_input(&value, sizeof value, "__VERIFIER_nondet_" #suffix); \
        return value;                                                           \
    }
SHEAF_NONDET(char, char)
SHEAF_NONDET(signed char, schar)
SHEAF_NONDET(unsigned char, uchar)
SHEAF_NONDET(short, short)
SHEAF_NONDET(unsigned short, ushort)
SHEAF_NONDET(int, int)
SHEAF_NONDET(unsigned, uint)
SHEAF_NONDET(unsigned, unsigned)
SHEAF_NONDET(uint32_t, u32)
SHEAF_NONDET(long, long)
SHEAF_NONDET(unsigned long, ulong)
SHEAF_NONDET(long long, longlong)
SHEAF_NONDET(unsigned long long, ulonglong)
SHEAF_NONDET(__int128, int128)
SHEAF_NONDET(unsigned __int128, uint128)
SHEAF_NONDET(float, float)
SHEAF_NONDET(double, double)
SHEAF_NONDET(loff_t, loff_t)
SHEAF_NONDET(size_t, size_t)
SHEAF_NONDET(unsigned long, sector_t)
SHEAF_NONDET(pthread_t, pthread_t)
SHEAF_NONDET(char *, pchar)
SHEAF_NONDET(void *, pointer)
SHEAF_NONDET(unsigned char, unsigned_char)
SHEAF_NONDET(unsigned short, unsigned_short)
SHEAF_NONDET(unsigned, unsigned_int)
SHEAF_NONDET(unsigned long, unsigned_long)
SHEAF_NONDET(unsigned long long, unsigned_long_long)
SHEAF_NONDET(long long, long_long)
SHEAF_NONDET(uint8_t, u8)
SHEAF_NONDET(uint16_t, u16)
SHEAF_NONDET(uint64_t, u64)
SHEAF_NONDET(int8_t, s8)
SHEAF_NONDET(int16_t, s16)
SHEAF_NONDET(int32_t, s32)
SHEAF_NONDET(int64_t, s64)
SHEAF_NONDET(uint8_t, uint8_t)
SHEAF_NONDET(uint16_t, uint16_t)
SHEAF_NONDET(uint32_t, uint32_t)
SHEAF_NONDET(uint64_t, uint64_t)
SHEAF_NONDET(int8_t, int8_t)
SHEAF_NONDET(int16_t, int16_t)
SHEAF_NONDET(int32_t, int32_t)
SHEAF_NONDET(int64_t, int64_t)
SHEAF_NONDET(ssize_t, ssize_t)
SHEAF_NONDET(char *, charp)

bool __VERIFIER_nondet_bool(void);
bool __VERIFIER_nondet__Bool(void);
void __VERIFIER_nondet_memory(void *, size_t);
void reach_error(void);
void __VERIFIER_error(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

SHEAF_WEAK bool __VERIFIER_nondet_bool(void)
{
    unsigned char value;
    sheaf_replay_input(&value, sizeof value, "__VERIFIER_nondet_bool");
    sheaf_assume(value <= 1);
    return value;
}
SHEAF_WEAK bool __VERIFIER_nondet__Bool(void) { return __VERIFIER_nondet_bool(); }
SHEAF_WEAK void __VERIFIER_nondet_memory(void *object, size_t size)
{
    sheaf_replay_input(object, size, "__VERIFIER_nondet_memory");
}
SHEAF_WEAK void reach_error(void) { sheaf_replay_error("reach_error"); }
SHEAF_WEAK void __VERIFIER_error(void) { sheaf_replay_error("__VERIFIER_error"); }
SHEAF_WEAK void __VERIFIER_assume(int condition) { sheaf_assume(condition); }
SHEAF_WEAK void __VERIFIER_assert(int condition)
{
    if (!condition)
        reach_error();
}
SHEAF_WEAK void __VERIFIER_atomic_begin(void) {}
SHEAF_WEAK void __VERIFIER_atomic_end(void) {}
