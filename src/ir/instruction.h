/* The instructions of a Program.
 *
 * An instruction is 24 bytes, the same for every operation:
 *
 *     byte  0        1        2        3        4        8        12       16       20
 *          +--------+--------+--------+--------+--------+--------+--------+--------+--------+
 *          |   op   | width  |  sub   | flags  |  dst   |   a    |   b    |   c    |  pos   |
 *          +--------+--------+--------+--------+--------+--------+--------+--------+--------+
 *
 *   op     the operation: one row of OPERATIONS below.
 *   width  of arithmetic: the width of its operands in bits; of an access: its size in bytes.
 *   sub    a second selector: a predicate, a memory order, a target width, a kind of error ...
 *   flags  INSTRUCTION_* bits.
 *   dst    the first register written; an operation that writes none may use it otherwise.
 *   a,b,c  operands, by the shape in the row.
 *   pos    index into the program's positions; 0 is "no position".
 *
 * An operand that is read (shape 'r', 'R', 'v') is a register number, or OPERAND_CONSTANT | index into the program's
 * pool of 64-bit constants.  A pair ('R') is two consecutive registers, or two consecutive constants, low half first.
 *
 * Registers have 64 bits.  A narrower value is always zero-extended: an operation of width w clears the bits above w.
 * Wider integers (65 to 128 bits) and x87 numbers (80 bits) take two consecutive registers, aggregates and vectors one
 * (or two) for each scalar. */
#ifndef PICKET_IR_INSTRUCTION_H
#define PICKET_IR_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#define OPERAND_CONSTANT 0x80000000u
#define NO_REGISTER 0xffffffffu

struct instruction {
    uint8_t op;
    uint8_t width;
    uint8_t sub;
    uint8_t flags;
    uint32_t dst;
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t pos;
};

enum instruction_flag {
    INSTRUCTION_ATOMIC = 1,   /* access: a C11 or __atomic access, not a plain one */
    INSTRUCTION_VOLATILE = 2, /* access: volatile in the source */
    INSTRUCTION_PRIVATE = 4,  /* alloca: no other thread can learn this address */
    INSTRUCTION_SIGNED = 8,   /* nondet: the domain is signed */
    INSTRUCTION_ZEROED = 16,  /* malloc: the bytes count as initialised (calloc) */
    INSTRUCTION_AWAIT = 32, /* visible: in a waiting loop, after its AWAIT; a store with this flag is to memory that no
                               other thread can access yet, and counts as nothing done */
    INSTRUCTION_UNASSUMED = 64, /* load: only tests whether the object is there; malloc: makes a local.  The assumptions
                                   of such operations of the user's are not made for this one */
};

/* The shape of an operation: one letter each for dst, a, b, c.
 *   -  unused                    w  writes one register        r  reads one operand
 *   t  branch target             W  writes a pair              R  reads a pair
 *   i  number                    X  writes three registers     v  reads one, or a pair when the width needs it
 *   f  function index            V  writes one, or a pair when the width needs it
 *   g  global index              C  writes the value (as V) and, in the register after it, a flag
 *   s  string offset             N  writes as many registers as `sub` says (NO_REGISTER if none)
 *   y  type index or 0           F  writes as many registers as function a returns (NO_REGISTER if none)
 *   p  start in the pool of operands; the following field n is their number
 *   q  start in the pool of operands of n pairs (constant operand, branch target)
 * A width "needs" a pair above 64 bits in arithmetic and above 8 bytes in an access. */

/* clang-format off */
#define OPERATIONS(X)                                                                                                  \
    /* name           text            shape    class     what it does                                              */ \
    X(NOP,            "nop",          "----",  LOCAL)    /* nothing; `sub` YIELD_* says what it stands for          */ \
    X(MOV,            "mov",          "wr--",  LOCAL)    /* dst = a                                                 */ \
    X(ADD,            "add",          "wrr-",  LOCAL)                                                                 \
    X(SUB,            "sub",          "wrr-",  LOCAL)                                                                 \
    X(MUL,            "mul",          "wrr-",  LOCAL)                                                                 \
    X(UDIV,           "udiv",         "wrr-",  LOCAL)    /* division by zero (and overflow, signed) is an error     */ \
    X(SDIV,           "sdiv",         "wrr-",  LOCAL)                                                                 \
    X(UREM,           "urem",         "wrr-",  LOCAL)                                                                 \
    X(SREM,           "srem",         "wrr-",  LOCAL)                                                                 \
    X(AND,            "and",          "wrr-",  LOCAL)                                                                 \
    X(OR,             "or",           "wrr-",  LOCAL)                                                                 \
    X(XOR,            "xor",          "wrr-",  LOCAL)                                                                 \
    X(SHL,            "shl",          "wrr-",  LOCAL)    /* a shift by the width or more takes the count modulo the */ \
    X(LSHR,           "lshr",         "wrr-",  LOCAL)    /* next power of two, as x86 does for 32 and 64 bits       */ \
    X(ASHR,           "ashr",         "wrr-",  LOCAL)                                                                 \
    X(ICMP,           "icmp",         "wrr-",  LOCAL)    /* sub: PREDICATE_*                                        */ \
    X(SEXT,           "sext",         "wr--",  LOCAL)    /* from width to sub bits                                  */ \
    X(TRUNC,          "trunc",        "wr--",  LOCAL)    /* to width bits                                           */ \
    X(SELECT,         "select",       "wrrr",  LOCAL)    /* dst = a ? b : c                                         */ \
    X(BITS,           "bits",         "wr--",  LOCAL)    /* sub: BITS_*                                             */ \
    X(FSHL,           "fshl",         "wrrr",  LOCAL)    /* funnel shift (a:b) left by c modulo width               */ \
    X(FSHR,           "fshr",         "wrrr",  LOCAL)                                                                 \
    X(OVERFLOW,       "overflow",     "Wrr-",  LOCAL)    /* dst = result, dst+1 = did it overflow; sub: OVERFLOW_*  */ \
    X(WIDE,           "wide",         "WRR-",  LOCAL)    /* width 65..128; sub: the op (ADD .. ASHR) it widens      */ \
    X(WIDE_ICMP,      "wide_icmp",    "wRR-",  LOCAL)                                                                 \
    X(WIDE_SEXT,      "wide_sext",    "WR--",  LOCAL)    /* from width (65..128) to sub bits                        */ \
    X(WIDE_OVERFLOW,  "wide_overflow","XRR-",  LOCAL)                                                                 \
    X(FLOAT,          "float",        "Vvv-",  LOCAL)    /* width 32, 64 or 80; sub: FLOAT_*                        */ \
    X(FCMP,           "fcmp",         "wvv-",  LOCAL)    /* sub: FPREDICATE_*                                       */ \
    X(FMATH,          "fmath",        "Vvv-",  LOCAL)    /* a libm function of one or two numbers; sub: MATH_*      */ \
    X(FMA,            "fma",          "Vvvv",  LOCAL)                                                                 \
    X(FCONV,          "fconv",        "Vv--",  LOCAL)    /* a number of width bits to one of sub bits               */ \
    X(FTOSI,          "ftosi",        "Vv--",  LOCAL)    /* a number of width bits to an integer of sub bits        */ \
    X(FTOUI,          "ftoui",        "Vv--",  LOCAL)                                                                 \
    X(SITOF,          "sitof",        "Vv--",  LOCAL)    /* an integer of width bits to a number of sub bits        */ \
    X(UITOF,          "uitof",        "Vv--",  LOCAL)                                                                 \
    X(UNINIT,         "uninit",       "w---",  LOCAL)    /* dst = 0, an uninitialised value                         */ \
    X(TLS,            "tls",          "wg--",  LOCAL)    /* dst = address of this thread's copy of global a         */ \
    X(SELF,           "self",         "w---",  LOCAL)    /* dst = number of this thread                             */ \
    X(CHILD,          "child",        "w---",  LOCAL)    /* dst = number that the next thread created here will get */ \
    X(ALLOCA,         "alloca",       "wriy",  LOCAL)    /* dst = address of a new local of a bytes, alignment b    */ \
    X(STACK_SAVE,     "stack_save",   "w---",  LOCAL)    /* dst = number of locals of this frame                    */ \
    X(STACK_RESTORE,  "stack_restore","-r--",  VISIBLE)  /* ends all locals of this frame beyond the first a        */ \
    X(LEAVE,          "leave",        "----",  VISIBLE)  /* ends the escaping locals of this frame, one at a time   */ \
    X(MALLOC,         "malloc",       "wrr-",  LOCAL)    /* dst = address of a new heap object, a bytes, align b    */ \
    X(FREE,           "free",         "-r--",  VISIBLE)                                                               \
    X(LIB,            "lib",          "Nipn",  LOCAL)    /* library function LIB_a, executed by the machine         */ \
    X(JMP,            "jmp",          "-t--",  LOCAL)                                                                 \
    X(BR,             "br",           "-rtt",  LOCAL)    /* to b if a is not 0, else to c                           */ \
    X(SWITCH,         "switch",       "trqn",  LOCAL)    /* to the pair's target whose constant is a, else to dst   */ \
    X(CALL,           "call",         "Ffpn",  LOCAL)                                                                 \
    X(CALL_INDIRECT,  "call_indirect","Nrpn",  LOCAL)                                                                 \
    X(RET,            "ret",          "-pn-",  LOCAL)                                                                 \
    X(LOAD,           "load",         "Vr--",  VISIBLE)  /* dst = the bytes at a; sub: ORDER_*                      */ \
    X(STORE,          "store",        "-rv-",  VISIBLE)  /* the bytes at a = b                                      */ \
    X(RMW,            "rmw",          "Vrvi",  VISIBLE)  /* dst = old bytes at a; a = old RMW_c b                   */ \
    X(CAS,            "cas",          "Crvv",  VISIBLE)  /* dst = old bytes at a; if they are b then a = c          */ \
    X(FENCE,          "fence",        "----",  VISIBLE)  /* sub: ORDER_*                                            */ \
    X(STORE_BARRIER,  "store_barrier","----",  LOCAL)    /* stores before it drain before stores after it          */ \
    X(SYNC,           "sync",         "Nrrr",  VISIBLE)  /* an operation on threads or locks; width: SYNC_*         */ \
    X(ATOMIC_BEGIN,   "atomic_begin", "----",  VISIBLE)                                                               \
    X(ATOMIC_END,     "atomic_end",   "----",  VISIBLE)                                                               \
    X(NONDET,         "nondet",       "wrr-",  VISIBLE)  /* dst = any value of width bits from a to b               */ \
    X(ASSUME,         "assume",       "-r--",  LOCAL)    /* drops the execution if a is 0                           */ \
    X(ASSERT,         "assert",       "-rs-",  LOCAL)    /* error ERROR_ASSERT with message b if a is 0             */ \
    X(ERROR,          "error",        "-s--",  LOCAL)    /* error of kind sub with message a                        */ \
    X(AWAIT,          "await",        "----",  LOCAL)    /* begins an iteration of a loop that may only wait        */ \
    X(AGAIN,          "again",        "-tt-",  LOCAL)    /* ends a failed iteration: one that did nothing goes to   */ \
                                                         /* the AWAIT a and waits for memory to change, others to b */ \
    X(ASSUMED,        "assumed",      "-rr-",  LOCAL)    /* assumes something: ir/assumption.h; layout: only if a   */ \
                                                         /* is an address, and not one of the object that b is in;  */ \
                                                         /* uninitialised: only if a is 0                           */ \
    X(CUT,            "cut",          "----",  LOCAL)    /* a loop has iterated too often, or other bounds; CUT_*   */ \
    X(HALT,           "halt",         "-i--",  LOCAL)    /* the thread stops, which does not make a deadlock;       */ \
                                                         /* a > 0: at a goal, an error once a threads are at theirs */ \
    X(EXIT,           "exit",         "-r--",  VISIBLE)  /* ends the process with code a                            */ \
    X(NOTE,           "note",         "-ttr",  LOCAL)    /* an annotation, sub: NOTE_*, about the value c: its code */ \
                                                         /* begins at a and ends in a NOTED, the thread goes to b   */ \
    X(NOTED,          "noted",        "-r--",  LOCAL)    /* the condition of the annotation is that a is not 0      */ \
    X(WAIT_UNLESS,    "wait_unless",  "-rr-",  CODE)     /* disabled if a is 0; waits for thread number b - 1       */ \
    X(ADD_TO,         "add_to",       "-rr-",  CODE)     /* the 4 bytes at a += b                                   */ \
    X(RECORD,         "record",       "wr--",  CODE)     /* dst = address of the record of the thread numbered a    */ \
    X(WAKE,           "wake",         "-rr-",  CODE)     /* wakes one thread (b: all) that waits at a               */ \
    X(RESULT,         "result",       "-rr-",  CODE)     /* the end of the code: returns a, and b                   */
/* clang-format on */

enum op {
#define X(name, text, shape, class) OP_##name,
    OPERATIONS(X)
#undef X
        OP_COUNT
};

/* A visible operation may be a step that other threads notice; a local one never is; a code one only occurs in the code
 * of an operation on a synchronisation object (ir/sync.h). */
enum op_class { OP_LOCAL, OP_VISIBLE, OP_CODE };

struct op_info {
    const char *text;
    char shape[5];
    uint8_t class;
};
extern const struct op_info op_table[OP_COUNT];

/* Lists of second selectors.  Each X(NAME, text); op_names.c makes a table of the texts. */
#define ORDERS(X)                                                                                                      \
    X(PLAIN, "plain")                                                                                                  \
    X(RELAXED, "relaxed")                                                                                              \
    X(ACQUIRE, "acquire")                                                                                              \
    X(RELEASE, "release")                                                                                              \
    X(ACQ_REL, "acq_rel")                                                                                              \
    X(SEQ_CST, "seq_cst")

#define PREDICATES(X)                                                                                                  \
    X(EQ, "eq")                                                                                                        \
    X(NE, "ne")                                                                                                        \
    X(ULT, "ult")                                                                                                      \
    X(ULE, "ule")                                                                                                      \
    X(UGT, "ugt")                                                                                                      \
    X(UGE, "uge")                                                                                                      \
    X(SLT, "slt")                                                                                                      \
    X(SLE, "sle")                                                                                                      \
    X(SGT, "sgt")                                                                                                      \
    X(SGE, "sge")

/* The bits of a floating-point predicate are the outcomes for which it holds: 1 equal, 2 greater, 4 less, 8
 * unordered. */
#define FPREDICATES(X)                                                                                                 \
    X(FALSE, "false")                                                                                                  \
    X(OEQ, "oeq")                                                                                                      \
    X(OGT, "ogt")                                                                                                      \
    X(OGE, "oge")                                                                                                      \
    X(OLT, "olt")                                                                                                      \
    X(OLE, "ole")                                                                                                      \
    X(ONE, "one")                                                                                                      \
    X(ORD, "ord")                                                                                                      \
    X(UNO, "uno")                                                                                                      \
    X(UEQ, "ueq")                                                                                                      \
    X(UGT, "ugt")                                                                                                      \
    X(UGE, "uge")                                                                                                      \
    X(ULT, "ult")                                                                                                      \
    X(ULE, "ule")                                                                                                      \
    X(UNE, "une")                                                                                                      \
    X(TRUE, "true")

#define BITS_KINDS(X)                                                                                                  \
    X(POPULATION, "population")                                                                                        \
    X(LEADING_ZEROS, "leading_zeros")                                                                                  \
    X(TRAILING_ZEROS, "trailing_zeros")                                                                                \
    X(BYTE_SWAP, "byte_swap")                                                                                          \
    X(REVERSE, "reverse")                                                                                              \
    X(ABSOLUTE, "absolute")

#define OVERFLOW_KINDS(X)                                                                                              \
    X(SADD, "sadd")                                                                                                    \
    X(UADD, "uadd")                                                                                                    \
    X(SSUB, "ssub")                                                                                                    \
    X(USUB, "usub")                                                                                                    \
    X(SMUL, "smul")                                                                                                    \
    X(UMUL, "umul")

#define FLOAT_KINDS(X)                                                                                                 \
    X(ADD, "add")                                                                                                      \
    X(SUB, "sub")                                                                                                      \
    X(MUL, "mul")                                                                                                      \
    X(DIV, "div")                                                                                                      \
    X(REM, "rem")                                                                                                      \
    X(NEG, "neg") /* b is ignored; the front end repeats a there */

/* libm by name: X(NAME, function, number of arguments).  With one argument, b repeats a.  The functions are C's, in
 * float, double and long double. */
#define MATH_KINDS(X)                                                                                                  \
    X(SQRT, sqrt, 1)                                                                                                   \
    X(CBRT, cbrt, 1)                                                                                                   \
    X(FABS, fabs, 1)                                                                                                   \
    X(FLOOR, floor, 1)                                                                                                 \
    X(CEIL, ceil, 1)                                                                                                   \
    X(TRUNC, trunc, 1)                                                                                                 \
    X(RINT, rint, 1)                                                                                                   \
    X(NEARBYINT, nearbyint, 1)                                                                                         \
    X(ROUND, round, 1)                                                                                                 \
    X(SIN, sin, 1)                                                                                                     \
    X(COS, cos, 1)                                                                                                     \
    X(TAN, tan, 1)                                                                                                     \
    X(ASIN, asin, 1)                                                                                                   \
    X(ACOS, acos, 1)                                                                                                   \
    X(ATAN, atan, 1)                                                                                                   \
    X(SINH, sinh, 1)                                                                                                   \
    X(COSH, cosh, 1)                                                                                                   \
    X(TANH, tanh, 1)                                                                                                   \
    X(EXP, exp, 1)                                                                                                     \
    X(EXP2, exp2, 1)                                                                                                   \
    X(EXPM1, expm1, 1)                                                                                                 \
    X(LOG, log, 1)                                                                                                     \
    X(LOG2, log2, 1)                                                                                                   \
    X(LOG10, log10, 1)                                                                                                 \
    X(LOG1P, log1p, 1)                                                                                                 \
    X(POW, pow, 2)                                                                                                     \
    X(FMOD, fmod, 2)                                                                                                   \
    X(ATAN2, atan2, 2)                                                                                                 \
    X(HYPOT, hypot, 2)                                                                                                 \
    X(COPYSIGN, copysign, 2)                                                                                           \
    X(FMIN, fmin, 2)                                                                                                   \
    X(FMAX, fmax, 2)

#define RMW_KINDS(X)                                                                                                   \
    X(XCHG, "xchg")                                                                                                    \
    X(ADD, "add")                                                                                                      \
    X(SUB, "sub")                                                                                                      \
    X(AND, "and")                                                                                                      \
    X(NAND, "nand")                                                                                                    \
    X(OR, "or")                                                                                                        \
    X(XOR, "xor")                                                                                                      \
    X(NEG, "neg") /* b is ignored */                                                                                   \
    X(SMAX, "smax")                                                                                                    \
    X(SMIN, "smin")                                                                                                    \
    X(UMAX, "umax")                                                                                                    \
    X(UMIN, "umin")                                                                                                    \
    X(FADD, "fadd")                                                                                                    \
    X(FSUB, "fsub")                                                                                                    \
    X(FMAX, "fmax")                                                                                                    \
    X(FMIN, "fmin")

/* What a NOP stands for; the pass that finds waiting loops treats them as signs of waiting. */
#define YIELD_KINDS(X)                                                                                                 \
    X(NONE, "")                                                                                                        \
    X(PAUSE, "pause")                                                                                                  \
    X(SCHEDULE, "sched_yield")                                                                                         \
    X(SLEEP, "sleep")

/* The meaning of an annotation's condition (picket.h).  Only `prove` and `check --check claims` use annotations: for
 * all other commands a pass has removed them (ir/notes.h). */
#define NOTE_KINDS(X)                                                                                                  \
    X(CLAIM, "claim")         /* it holds whenever a thread is here */                                                 \
    X(INVARIANT, "invariant") /* it always holds */                                                                    \
    X(READS, "reads")         /* the load before it may return every value with which it holds */                      \
    X(MAY_FAIL, "may_fail")   /* the read-modify-write before it may leave memory unchanged and return such a value */

/* Why an execution is cut: at a bound that the user gave, in a loop with an exit or without one; or at the end of an
 * unfolding. */
enum cut_kind { CUT_BOUND, CUT_ENDLESS, CUT_FRONTIER, CUT_COUNT };

/* Operations on threads and synchronisation objects: X(NAME, text, bytes, mode, spelling, phrase), the columns being
 * those of struct sync_info.  ir/sync.c has what they do, as code.  Operands a, b, c: a is the object, unless said
 * otherwise; dst = 0 or an errno value, unless said otherwise.  Every operation waits for the own store buffer to be
 * empty. The state of an object is in the user's own memory; the records of threads have the condition variable or
 * barrier at which they wait. */
/* clang-format off */
#define SYNC_KINDS(X)                                                                                                  \
    X(MUTEX_LOCK, "mutex_lock", 20, WAIT, "pthread_mutex_lock((pthread_mutex_t *)$a)", "locks %s")                     \
    X(MUTEX_TRYLOCK, "mutex_trylock", 20, TRY, "pthread_mutex_trylock((pthread_mutex_t *)$a)", "mutex_trylock %s")     \
    X(MUTEX_TIMEDLOCK, "mutex_timedlock", 20, TIMED,                                                                   \
       "pthread_mutex_timedlock((pthread_mutex_t *)$a, &picket_deadline)", "mutex_timedlock %s")                       \
    X(MUTEX_UNLOCK, "mutex_unlock", 20, WAIT, "pthread_mutex_unlock((pthread_mutex_t *)$a)", "unlocks %s")             \
    /* a mutex, b how often the thread held it before it waited */                                                     \
    X(MUTEX_RETAKE, "cond_wait.retake", 20, WAIT, NULL, "locks %s again")                                              \
    /* a condition variable, b mutex; dst = how often the thread held the mutex */                                     \
    X(COND_RELEASE, "cond_wait.release", 8, WAIT, NULL, "waits at %s, releasing its mutex")                            \
    X(COND_SLEEP, "cond_wait", 8, WAIT, NULL, "continues after the wait at %s")                                        \
    X(COND_TIMEDSLEEP, "cond_timedwait", 8, TIMED, NULL, "continues after the wait at %s")                             \
    X(COND_SIGNAL, "cond_signal", 8, WAIT, "pthread_cond_signal((pthread_cond_t *)$a)", "cond_signal %s")              \
    X(COND_BROADCAST, "cond_broadcast", 8, WAIT,                                                                       \
       "pthread_cond_broadcast((pthread_cond_t *)$a)", "cond_broadcast %s")                                            \
    X(READ_LOCK, "rwlock_rdlock", 8, WAIT, "pthread_rwlock_rdlock((pthread_rwlock_t *)$a)", "rwlock_rdlock %s")        \
    X(READ_TRYLOCK, "rwlock_tryrdlock", 8, TRY,                                                                        \
       "pthread_rwlock_tryrdlock((pthread_rwlock_t *)$a)", "rwlock_tryrdlock %s")                                      \
    X(READ_TIMEDLOCK, "rwlock_timedrdlock", 8, TIMED,                                                                  \
       "pthread_rwlock_timedrdlock((pthread_rwlock_t *)$a, &picket_deadline)", "rwlock_timedrdlock %s")                \
    X(WRITE_LOCK, "rwlock_wrlock", 8, WAIT, "pthread_rwlock_wrlock((pthread_rwlock_t *)$a)", "rwlock_wrlock %s")       \
    X(WRITE_TRYLOCK, "rwlock_trywrlock", 8, TRY,                                                                       \
       "pthread_rwlock_trywrlock((pthread_rwlock_t *)$a)", "rwlock_trywrlock %s")                                      \
    X(WRITE_TIMEDLOCK, "rwlock_timedwrlock", 8, TIMED,                                                                 \
       "pthread_rwlock_timedwrlock((pthread_rwlock_t *)$a, &picket_deadline)", "rwlock_timedwrlock %s")                \
    X(READ_UNLOCK, "rwlock_unlock", 8, WAIT, "pthread_rwlock_unlock((pthread_rwlock_t *)$a)", "rwlock_unlock %s")      \
    /* by a thread that does not hold it for reading */                                                                \
    X(WRITE_UNLOCK, "rwlock_unlock", 8, WAIT, "pthread_rwlock_unlock((pthread_rwlock_t *)$a)", "rwlock_unlock %s")     \
    /* unlocking is a release store of 0 */                                                                            \
    X(SPIN_LOCK, "spin_lock", 4, WAIT, "picket_spin_lock($a)", "spin_lock %s")                                         \
    X(SPIN_TRYLOCK, "spin_trylock", 4, TRY, "picket_spin_trylock($a)", "spin_trylock %s")                              \
    X(SEM_WAIT, "sem_wait", 4, WAIT, "(sem_wait((sem_t *)$a) == 0 ? 0 : EINTR)", "sem_wait %s")                        \
    X(SEM_TRYWAIT, "sem_trywait", 4, TRY, "(sem_trywait((sem_t *)$a) == 0 ? 0 : EAGAIN)", "sem_trywait %s")            \
    X(SEM_TIMEDWAIT, "sem_timedwait", 4, TIMED,                                                                        \
       "(sem_timedwait((sem_t *)$a, &picket_deadline) == 0 ? 0 : ETIMEDOUT)", "sem_timedwait %s")                      \
    X(SEM_POST, "sem_post", 4, WAIT, "(sem_post((sem_t *)$a) == 0 ? 0 : EOVERFLOW)", "sem_post %s")                    \
    /* dst = -1 (32 bits) in the thread that arrives last, 0 in the others, which go to sleep */                       \
    X(BARRIER_ARRIVE, "barrier_wait.arrive", 8, WAIT, NULL, "barrier_wait %s")                                         \
    X(BARRIER_SLEEP, "barrier_wait", 8, WAIT, NULL, "continues after the barrier %s")                                  \
    /* dst = 1 if this thread is to run the function */                                                                \
    X(ONCE_BEGIN, "once_begin", 4, WAIT, NULL, "once_begin %s")                                                        \
    X(ONCE_END, "once_end", 4, WAIT, NULL, "once_end %s")                                                              \
    /* dst = number of a new thread that calls function a with b and c */                                              \
    X(THREAD_CREATE, "thread_create", 0, WAIT, NULL, NULL)                                                             \
    /* a number; dst = code, dst+1 = what the thread returned */                                                       \
    X(THREAD_JOIN, "thread_join", 0, WAIT, NULL, NULL)                                                                 \
    X(THREAD_TRYJOIN, "thread_tryjoin", 0, TRY, NULL, NULL)                                                            \
    /* a number */                                                                                                     \
    X(THREAD_DETACH, "thread_detach", 0, WAIT, NULL, NULL)                                                             \
    /* until it is unlocked as often, nothing of other threads reaches memory */                                       \
    X(BUS_LOCK, "bus_lock", 0, WAIT, NULL, "locks")                                                                    \
    X(BUS_UNLOCK, "bus_unlock", 0, WAIT, NULL, "unlocks")                                                              \
    /* a value; ends the thread, also the last one */                                                                  \
    X(THREAD_EXIT, "thread_exit", 0, WAIT, NULL, "ends")
/* clang-format on */

/* Errors in the user's program: X(NAME, text); the text is the `kind` of JSON output and witnesses. */
#define ERROR_KINDS(X)                                                                                                 \
    X(NONE, "none")                                                                                                    \
    X(ASSERT, "assertion")                                                                                             \
    X(ABORT, "abort")                                                                                                  \
    X(REACH, "reach_error")                                                                                            \
    X(NULL_POINTER, "null-pointer")                                                                                    \
    X(DANGLING, "dangling-pointer")                                                                                    \
    X(BOUNDS, "out-of-bounds")                                                                                         \
    X(WILD, "wild-pointer")                                                                                            \
    X(READ_ONLY, "write-to-constant")                                                                                  \
    X(MISUSE, "misused-pointer") /* a call through a pointer to no function, bytes of a function, ... */               \
    X(DOUBLE_FREE, "double-free")                                                                                      \
    X(BAD_FREE, "invalid-free")                                                                                        \
    X(DEADLOCK, "deadlock")                                                                                            \
    X(NOT_OWNER, "unlock-not-owner")                                                                                   \
    X(DESTROYED, "use-after-destroy")   /* an operation on a lock or similar object that was destroyed */              \
    X(DESTROY_IN_USE, "destroy-in-use") /* a thread holds it, or waits for it */                                       \
    X(BAD_JOIN, "bad-join")             /* of a thread that was already joined or detached */                          \
    X(OVERLAP, "overlapping-copy")      /* memcpy */                                                                   \
    X(DIVISION, "division-by-zero")                                                                                    \
    X(UNREACHABLE, "unreachable")                                                                                      \
    X(STACK, "stack-overflow")                                                                                         \
    X(ATOMIC_BLOCKED, "blocked-in-atomic")                                                                             \
    X(LEAK, "leak")                                                                                                    \
    X(UNINITIALISED, "uninitialised")                                                                                  \
    X(RACE, "race")                                                                                                    \
    X(LIVENESS, "liveness")                                                                                            \
    X(STALE, "stale-pointer")                                                                                          \
    X(GOAL, "goal")   /* all threads of an automaton are in their final states */                                      \
    X(STATE, "state") /* a final state that the program does not have under SC */

/* Library functions that the machine executes itself, without a step.  So what they read must be such that no other
 * thread can change it: text that others can change is copied before, by loads (front/lib/texts.c), and `texts` is the
 * address of these copies, each with its 0.  X(NAME, text).  A file is 0 for stdin, 1 for stdout, 2 for stderr. */
#define LIB_KINDS(X)                                                                                                   \
    X(PRINT, "print")   /* a file, a format, the address of the argument block, texts; dst = bytes written */          \
    X(FORMAT, "format") /* a private buffer, its size, a format, argument block, texts; as snprintf */                 \
    X(TEXT, "text")     /* a format, argument block, n: dst = address of the nth string that others can change, 0 if   \
                           there are no more; dst+1 = most bytes of it that are used */                                \
    X(WRITE, "write")   /* a file, address, length: writes bytes to the output */                                      \
    X(STRTOD, "strtod") /* address; dst = the number (double), dst+1 = number of bytes read   */                       \
    X(OBJECT_SIZE, "object_size") /* address; dst = bytes from there to the end of the object, 0 if none */

#define X(name, ...) ORDER_##name,
enum order { ORDERS(X) ORDER_COUNT };
#undef X
#define X(name, ...) PREDICATE_##name,
enum predicate { PREDICATES(X) PREDICATE_COUNT };
#undef X
#define X(name, ...) FPREDICATE_##name,
enum fpredicate { FPREDICATES(X) FPREDICATE_COUNT };
#undef X
#define X(name, ...) BITS_##name,
enum bits_kind { BITS_KINDS(X) BITS_COUNT };
#undef X
#define X(name, ...) OVERFLOW_##name,
enum overflow_kind { OVERFLOW_KINDS(X) OVERFLOW_COUNT };
#undef X
#define X(name, ...) FLOAT_##name,
enum float_kind { FLOAT_KINDS(X) FLOAT_COUNT };
#undef X
#define X(name, ...) MATH_##name,
enum math_kind { MATH_KINDS(X) MATH_COUNT };
#undef X
#define X(name, ...) RMW_##name,
enum rmw_kind { RMW_KINDS(X) RMW_COUNT };
#undef X
#define X(name, ...) YIELD_##name,
enum yield_kind { YIELD_KINDS(X) YIELD_COUNT };
#undef X
#define X(name, ...) NOTE_##name,
enum note_kind { NOTE_KINDS(X) NOTE_COUNT };
#undef X
#define X(name, ...) SYNC_##name,
enum sync_kind { SYNC_KINDS(X) SYNC_COUNT };
#undef X
#define X(name, ...) ERROR_##name,
enum error_kind { ERROR_KINDS(X) ERROR_COUNT };
#undef X
#define X(name, ...) LIB_##name,
enum lib_kind { LIB_KINDS(X) LIB_COUNT };
#undef X

extern const char *const order_names[ORDER_COUNT];
extern const char *const predicate_names[PREDICATE_COUNT];
extern const char *const fpredicate_names[FPREDICATE_COUNT];
extern const char *const bits_names[BITS_COUNT];
extern const char *const overflow_names[OVERFLOW_COUNT];
extern const char *const float_names[FLOAT_COUNT];
extern const char *const math_names[MATH_COUNT];
extern const char *const rmw_names[RMW_COUNT];
extern const char *const yield_names[YIELD_COUNT];
extern const char *const note_names[NOTE_COUNT];
extern const char *const error_names[ERROR_COUNT];
extern const char *const lib_names[LIB_COUNT];

#endif
