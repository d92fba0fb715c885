/* A priority scheduler driven by commands on standard input, one byte each with operands in the bytes that follow:
 *   n P   new process of priority P (1..3)      u P R  upgrade: process at ratio R of queue P moves up
 *   b     block the running process             w R    wake the blocked process at ratio R
 *   q     quantum expires                       f      the running process finishes
 *   F     all finish
 * Prints the numbers of the processes in the order in which they finish. */
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 3, BLOCKED = 0 };

typedef struct Process {
    int id, priority;
    struct Process *next;
} Process;

typedef struct Queue {
    Process *head;
    int length;
} Queue;

static Queue queues[LEVELS + 1];
static Process *running;
static int next_id, finished;

static void enqueue(int level, Process *p)
{
    Process **at = &queues[level].head;
    while (*at)
        at = &(*at)->next;
    p->next = NULL;
    *at = p;
    queues[level].length++;
}

static Process *unlink_at(int level, int position)
{
    Process **at = &queues[level].head;
    for (int i = 0; i < position && *at; i++)
        at = &(*at)->next;
    Process *p = *at;
    if (p) {
        *at = p->next;
        p->next = NULL;
        queues[level].length--;
    }
    return p;
}

/* A ratio of 0..9 tenths chooses a member of the queue. */
static Process *unlink_ratio(int level, int ratio)
{
    if (queues[level].length == 0)
        return NULL;
    int position = ratio * queues[level].length / 10;
    return unlink_at(level, position);
}

static void dispatch(void)
{
    if (running)
        return;
    for (int level = LEVELS; level > BLOCKED; level--)
        if ((running = unlink_at(level, 0)))
            return;
}

/* The running process goes back if somebody more important waits. */
static void preempt(void)
{
    if (!running)
        return;
    for (int level = LEVELS; level > running->priority; level--)
        if (queues[level].head) {
            enqueue(running->priority, running);
            running = NULL;
            return;
        }
}

static int new_process(int priority)
{
    if (priority < 1 || priority > LEVELS)
        return -1;
    Process *p = malloc(sizeof *p);
    if (!p)
        return -2;
    p->id = next_id++;
    p->priority = priority;
    enqueue(priority, p);
    preempt();
    dispatch();
    return 0;
}

static int upgrade(int priority, int ratio)
{
    if (priority < 1 || priority >= LEVELS || ratio < 0 || ratio > 9)
        return -1;
    Process *p = unlink_ratio(priority, ratio);
    if (p) {
        p->priority = priority + 1;
        enqueue(priority + 1, p);
        preempt();
    }
    dispatch();
    return 0;
}

static int block(void)
{
    if (running) {
        enqueue(BLOCKED, running);
        running = NULL;
    }
    dispatch();
    return 0;
}

static int wake(int ratio)
{
    if (ratio < 0 || ratio > 9)
        return -1;
    Process *p = unlink_ratio(BLOCKED, ratio);
    if (p) {
        enqueue(p->priority, p);
        preempt();
    }
    dispatch();
    return 0;
}

static int quantum(void)
{
    if (running) {
        enqueue(running->priority, running);
        running = NULL;
    }
    dispatch();
    return 0;
}

static int finish(void)
{
    if (running) {
        printf("%d ", running->id);
        free(running);
        running = NULL;
        finished++;
    }
    dispatch();
    return 0;
}

static int finish_all(void)
{
    dispatch();
    while (running)
        finish();
    return 0;
}

static int operand(void)
{
    int c = getchar();
    return c >= '0' && c <= '9' ? c - '0' : -1;
}

static int command(int c)
{
    int priority;
    switch (c) {
    case 'n': return new_process(operand());
    case 'u': priority = operand(); return upgrade(priority, operand());
    case 'b': return block();
    case 'w': return wake(operand());
    case 'q': return quantum();
    case 'f': return finish();
    case 'F': return finish_all();
    case '\n': return 0;
    default: return -1;
    }
}

int main(void)
{
    int c, errors = 0;
    while ((c = getchar()) != EOF)
        if (command(c) < 0)
            errors++;
    finish_all();
    printf("\n%d finished, %d errors, %d blocked\n", finished, errors, queues[BLOCKED].length);
    while (queues[BLOCKED].head)
        free(unlink_at(BLOCKED, 0));
    return errors > 0;
}
