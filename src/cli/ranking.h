/* ranking.h - which runs become tests where several processes make them, in no certain order.
 *
 * Each run has a rank, a hash of its path (ExploreRun.rank). Of all paths that cover a block or a branch
 * outcome, which none did that was kept before there were several processes, the one of the least rank
 * becomes a test; of all that show a fault, the first few by rank are tried. So the answer is the same in
 * whatever order, and in however many processes, the runs are made. Ranks are as good as random, so that a
 * run is seldom better than all before it. */
#ifndef SHEAF_CLI_RANKING_H
#define SHEAF_CLI_RANKING_H

#include "explore/explore.h"

enum { RANKING_TRIES = 5 }; /* tests of one fault that are replayed until one confirms it */

typedef struct RankedFault {
    VmFaultKind kind;
    uint32_t site;
    uint64_t ranks[RANKING_TRIES]; /* ascending */
    uint32_t n;
} RankedFault;

/* Zero-initialised. */
typedef struct Ranking {
    U64Vec least; /* by cell: of the paths that cover it; 0: there is none */
    Vec(RankedFault) faults;
    Map rows;     /* ranks of paths that are tests whatever they cover */
    U32Vec added; /* scratch */
} Ranking;

typedef enum RankingNews {
    RANKING_NOTHING, /* others stand for all that it covers */
    RANKING_BETTER,  /* it stands for something now, as another did before */
    RANKING_NEW      /* it is the first that covers something */
} RankingNews;

/* What the run covers is noted. */
RankingNews ranking_covers(Ranking *r, const ExploreRun *run);
/* It ended with a fault. NEW: it is the first by rank so far, BETTER: one of the first. */
RankingNews ranking_fails(Ranking *r, const ExploreRun *run);
const RankedFault *ranking_fault(const Ranking *r, VmFaultKind kind, uint32_t site); /* NULL: none */
void ranking_kept(const Ranking *r, Map *ranks,
                  BitSet *cells); /* adds the paths that stand for cells, and these */
void ranking_clear(Ranking *r);
void ranking_write(const Ranking *r, Str *out);
void ranking_read(Ranking *r, Wire *in);
void ranking_free(Ranking *r);

#endif
