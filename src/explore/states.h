/* states.h - private to states*.c: the graph of states.
 *
 * A node is the state before a decision, an edge an outcome of it. Inputs that calls make (sheaf_symbolic,
 * __VERIFIER_nondet_int) are named by execution index, so that those of two iterations have different names.
 * Two such states are one node: a node has the names of the run that met it first, conditions at it are in
 * these names, and an edge says which inputs of its target are which of its source, and which were made on
 * the way. */
#ifndef SHEAF_STATES_H
#define SHEAF_STATES_H

#include "explore/output.h"

typedef struct Edge {
    uint32_t from, to; /* nodes */
    Expr condition;    /* in the names of `from` */
    uint32_t next;     /* another edge into the same node; IR_NONE: none */
    uint32_t links;    /* in States.links, for each input of `to`: its place at `from`; IR_NONE: it is new */
    bool actual;       /* a run took it under the names, and at the execution indices, of both nodes */
} Edge;

typedef struct Node {
    VmKey key;
    uint64_t index; /* execution index of the decision when it was met first */
    uint32_t in;    /* its last edge; IR_NONE: it begins runs */
    uint32_t site;
    uint32_t inputs, ninputs; /* of its state, by number, in States.inputs */
    Expr taken;               /* that an outcome is met which a run has taken */
    uint64_t asked;           /* the last question, by its fingerprint; 0: none yet */
    bool found;               /* and an input was its answer */
    Origin *origin;           /* of the run that met it first */
    /* of the round under way: */
    Expr reached;   /* holds for every way in, and perhaps for others */
    Expr actual;    /* of the ways over actual edges: by this every input that satisfies it comes here */
    bool is_actual; /* these are all */
    ExprVec must;   /* conditions that hold on every way in, ascending by id */
    bool exact;     /* there is one way in, and `must` is all of it */
    bool over;      /* it may be reached in fewer cases */
    /* of a signature: */
    Expr assumed;          /* what holds here without an alternative; EXPR_NONE: nothing */
    uint32_t row, failure; /* of a node that ends runs: 1 + its number in the signature */
} Node;

/* A way to a node whose inputs have other names than those of its nodes: runs follow it edge by edge. */
typedef struct Plan {
    U32Vec edges;
    Expr rest;      /* what is to be taken at the end */
    uint32_t steps; /* edges that a run has followed so far */
    uint32_t at;    /* the decision of that run that comes next */
    bool begun;
} Plan;

typedef struct StatesExplain StatesExplain;

/* Why outcomes other than those that were taken are impossible. */
typedef struct Core {
    ExprVec conditions; /* with which the rest is unsatisfiable, ascending by id */
    uint32_t next;      /* another one for the same rest; IR_NONE: none */
} Core;

typedef struct States {
    Map index; /* key to node */
    Vec(Node) nodes;
    Vec(Edge) edges;
    Map known;     /* edges, by where they begin and their condition */
    U32Vec inputs; /* objects */
    U32Vec links;
    Vec(Plan) plans;
    Vec(Core) cores;
    Map core_of;            /* what was not taken at a node, to the last core */
    bool named;             /* a state has an input that a call has made */
    bool full;              /* it has taken its share of the memory: no node is added any more */
    size_t core_bytes;      /* of conditions of cores, */
    size_t origins;         /* bytes of what nodes hold of runs, */
    size_t musts;           /* and of their lists of conditions */
    size_t moved;           /* bytes of its expressions, when the pool was last left */
    Output *output;         /* the signature; NULL: none is made */
    StatesExplain *explain; /* NULL: nothing is to be explained */
} States;

static inline VmInputList node_inputs(const States *s, const Node *node)
{
    return (VmInputList){s->inputs.v + node->inputs, node->ninputs};
}

/* Enters the node, whose number may be one that it will have; false: the key is there. */
bool states_index(States *s, VmKey key, uint32_t node);
void states_know_edges(States *s); /* anew: their conditions are others */
/* states_save.c */
void states_save(Explore *x, struct Saving *s);
void states_load(Explore *x, struct Loading *l);
/* The expression with inputs renamed, by their places. */
Expr states_renamed(ExprPool *p, Expr e, VmInputList from, VmInputList to);
/* states_reach.c: computes what nodes have of a round, then calls `ask` for each, in an order in which a node
 * comes behind one that leads to it. */
void states_round(Explore *x, void (*ask)(Explore *x, Node *node));
/* states_plan.c: a node is reached together with `rest`, by other names than those of its nodes: files the
 * first task of a plan. False: none was found. */
bool states_plan(Explore *x, Node *node, Expr rest);
/* The run of a task with a plan: files the next one, if the plan is not done. */
void states_follow(Explore *x, const Task *task, const VmTrace *trace, const U32Vec *nodes, Origin *origin);
/* states_explain.c: a run has been entered into the graph. `nodes`: of its decisions; `left`: decisions whose
 * alternatives were not filed since their node is known. */
StatesExplain *states_explain_new(const Explore *x);
void states_explain_run(StatesExplain *s, const VmTrace *trace, uint64_t run, const U32Vec *nodes,
                        const BitSet *left);
void states_explain_move(StatesExplain *s, const ExprPool *to); /* the pool is another */
void states_explain_free(StatesExplain *s);                     /* NULL is allowed */

#endif
