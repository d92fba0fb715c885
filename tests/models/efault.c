#include <unistd.h>
#include <errno.h>
int main(void) { return read(0, (void*)0, 1) == -1 && errno == EFAULT && write(1, 0, 3) == -1 && errno == EFAULT ? 7 : 8; }
