/* Three ready queues under one dispatcher, after Schedule2: COMMANDS commands of one byte each. The low
 * bits choose the command, the next ones the queue. Processes are records on the heap, freed when they
 * finish. */
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef COMMANDS
#define COMMANDS 3
#endif

enum { NEW, UPGRADE, BLOCK, UNBLOCK, EXPIRE, FINISH, FLUSH, KINDS };
enum { QUEUES = 3 };

typedef struct Process {
    struct Process *next;
    int id;
} Process;

static Process *ready[QUEUES], *blocked;
static int created, finished;

static void put_last(Process **queue, Process *p)
{
    while (*queue)
        queue = &(*queue)->next;
    p->next = NULL;
    *queue = p;
}

static Process *take_first(Process **queue)
{
    Process *p = *queue;
    if (p)
        *queue = p->next;
    return p;
}

static Process **current(void)
{
    for (int q = QUEUES - 1; q > 0; q--)
        if (ready[q])
            return &ready[q];
    return &ready[0];
}

static void create(int queue)
{
    Process *p = malloc(sizeof *p);
    if (!p)
        return;
    p->id = created++;
    put_last(&ready[queue], p);
}

static void finish(Process **queue)
{
    Process *p = take_first(queue);
    if (!p)
        return;
    printf("%d done\n", p->id);
    finished++;
    free(p);
}

static void move(Process **from, Process **to)
{
    Process *p = take_first(from);
    if (p)
        put_last(to, p);
}

static void obey(unsigned char command)
{
    int queue = command >> 3 & 3;
    if (queue >= QUEUES)
        queue = 0;
    switch (command & 7) {
    case NEW: create(queue); break;
    case UPGRADE: move(&ready[queue], &ready[queue < QUEUES - 1 ? queue + 1 : queue]); break;
    case BLOCK: move(current(), &blocked); break;
    case UNBLOCK: move(&blocked, &ready[queue]); break;
    case EXPIRE: move(current(), current()); break;
    case FINISH: finish(current()); break;
    case FLUSH:
        while (*current())
            finish(current());
        break;
    default: break;
    }
}

int main(void)
{
    unsigned char commands[COMMANDS];
    sheaf_symbolic(commands, sizeof commands, "commands");
    create(0);
    create(1);
    create(2);
    for (int i = 0; i < COMMANDS; i++)
        obey(commands[i]);
    printf("%d of %d finished\n", finished, created);
    return 0;
}
