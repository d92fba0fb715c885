/* A scheduler with priorities: which of the processes runs first? The processes' bursts are accounted for as they are
 * admitted (classes, totals): that decides nothing about who runs. */
#include <sheaf.h>
#include <stdio.h>

enum { PROCESSES = 4, SHORT_BURST = 10, LONG_BURST = 100 };

typedef struct Process {
    unsigned char priority;
    unsigned char io;
    unsigned short burst;
} Process;

static int interactive, batch, normal, total;

static void account(const Process *p)
{
    if (p->burst < SHORT_BURST)
        interactive++;
    else if (p->burst < LONG_BURST)
        normal++;
    else
        batch++;
    if (p->io)
        total += p->burst / 2;
    else
        total += p->burst;
}

static int first_to_run(const Process *p)
{
    int best = 0;
    for (int i = 1; i < PROCESSES; i++)
        if (p[i].priority > p[best].priority)
            best = i;
    return best;
}

int main(void)
{
    Process process[PROCESSES];
    sheaf_symbolic(process, sizeof process, "process");
    for (int i = 0; i < PROCESSES; i++)
        account(&process[i]);
    int running = first_to_run(process);
    printf("%d interactive, %d normal, %d batch, %d in all\n", interactive, normal, batch, total);
    sheaf_output(&running, sizeof running, "running");
    return 0;
}
