/* A list through locals: stores at places that depend on the input write none of them for sure. */
#include <stdio.h>
#include <stdlib.h>
struct N {
    struct N *next;
    int v;
};
static struct N *head;
int main(void)
{
    struct N a = {0, 0}, b = {0, 0};
    int *out;
    int w[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        out = c == 'a' ? &a.v : &b.v;
        *out = c;
        if (c == 'h') {
            a.next = head;
            head = &a;
        }
        if (c == 'i' && head != &b) {
            b.next = head;
            head = &b;
        }
        w[c == 'z'] = i;
        if (c == 'h' && i == 2 && head == &a && a.next == &a)
            abort();
    }
    int n = 0;
    for (struct N *p = head; p && n < 4; p = p->next) {
        if (p->v == 'i' && p == &b && a.v == 'a')
            abort();
        n++;
    }
    if (w[0] == 0 && w[1] == 2)
        abort();
    return 0;
}
