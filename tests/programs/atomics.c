// C11 atomics in one thread.
#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter = 5;
static _Atomic unsigned long long wide;
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void)
{
    int old = atomic_fetch_add(&counter, 3), expected = 8;
    printf("%d %d\n", old, atomic_load(&counter));
    printf("%d", atomic_compare_exchange_strong(&counter, &expected, 20));
    printf(" %d", atomic_compare_exchange_strong(&counter, &expected, 30));
    printf(" %d\n", expected);
    atomic_fetch_or(&wide, 0xf0);
    atomic_fetch_and(&wide, 0x3c);
    atomic_fetch_xor(&wide, ~0ull);
    wide += 2;
    printf("%llx\n", (unsigned long long)wide);
    printf("%d", atomic_flag_test_and_set(&flag));
    printf(" %d\n", atomic_flag_test_and_set(&flag));
    printf("%d %d\n", atomic_exchange(&counter, 1), __sync_fetch_and_sub((int *)&counter, 4));
    atomic_thread_fence(memory_order_seq_cst);
    return counter == -3;
}
