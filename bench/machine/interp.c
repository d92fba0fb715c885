// An interpreter loop: switch dispatch over bytecode with a value stack.
#include <stdio.h>

enum { PUSH, ADD, SUB, MUL, DUP, SWAP, LOAD, STORE, JNZ, PRINT, HALT };

static long run(const int *code)
{
    long stack[64], vars[8] = {0}, sp = 0, printed = 0;
    for (const int *pc = code;;) {
        switch (*pc++) {
        case PUSH: stack[sp++] = *pc++; break;
        case ADD: sp--; stack[sp - 1] += stack[sp]; break;
        case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
        case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
        case DUP: stack[sp] = stack[sp - 1]; sp++; break;
        case SWAP: { long t = stack[sp - 1]; stack[sp - 1] = stack[sp - 2]; stack[sp - 2] = t; break; }
        case LOAD: stack[sp++] = vars[*pc++]; break;
        case STORE: vars[*pc++] = stack[--sp]; break;
        case JNZ: { int to = *pc++; if (stack[--sp]) pc = code + to; break; }
        case PRINT: printed += stack[--sp]; break;
        case HALT: return printed;
        }
    }
}

int main(void)
{
    static const int code[] = {PUSH, 2000000, STORE, 0, PUSH, 1, STORE, 1,
                               /* 8 */ LOAD, 1, PUSH, 31, MUL, LOAD, 0, ADD, PUSH, 0x7fff, SWAP, SUB, STORE, 1,
                               LOAD, 0, PUSH, 1, SUB, DUP, STORE, 0, JNZ, 8, LOAD, 1, PRINT, HALT};
    printf("%ld\n", run(code) & 0xffffff);
    return 0;
}
