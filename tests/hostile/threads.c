// run: 3 unsupported
// test: 3 unsupported
#include <pthread.h>
#include <sheaf.h>
#include <stddef.h>

static void *work(void *data) { return data; }

int main(void)
{
    unsigned char x;
    pthread_t thread;
    sheaf_symbolic(&x, 1, "x");
    while (x != 42)
        pthread_create(&thread, NULL, work, NULL);
    return 0;
}
