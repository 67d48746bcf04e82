/* The meaning of an operation on a synchronisation object or a thread: a short list of instructions, its code, which
 * runs as one step.  Only sync_codes.h defines what a lock is; engines and translations read the definition in this
 * form, and the machine runs the same text.
 *
 * A code consists of ADD, SUB, OR, ICMP (equal, different, unsigned less), LOAD and STORE (of 4 or 8 bytes), BR
 * (forward only), NONDET (0 or 1), ERROR, and of five instructions that occur only in codes:
 *
 *     WAIT_UNLESS r, who   the step is disabled if r is 0: the thread waits, for the thread with number who - 1 if
 *                          who is not 0
 *     ADD_TO word, n       adds n to the 4 bytes at `word`; two of them do not depend on each other
 *     RECORD dst, number   address of the record of the thread with this number (see enum record_field)
 *     WAKE a, all          clears `waits` in the record of one thread (a choice, in the order of slots), or of all
 *                          threads, that hold address a there
 *     RESULT code, value   the end: what the operation returns
 *
 * Rules, of which tests/ir/test_sync.c checks S1 to S5:
 *
 *   S1. Branches go forward, and every path ends with RESULT or ERROR.
 *   S2. No STORE, ADD_TO or WAKE comes before a WAIT_UNLESS, NONDET or ERROR on any path: a step that is not enabled,
 *       or fails, has changed nothing.  Nothing comes between a WAKE and the RESULT.
 *   S3. A code does not read a word after it has written it.
 *   S4. A path has at most one NONDET or WAKE of one thread, so a step has one choice; no WAIT_UNLESS follows it.
 *   S5. A code accesses only the object at A (for operations on two objects, also that at B), and records.
 *   S6. A code that may wait reads what its waiting depends on before it returns for another reason: an engine that
 *       removes that reason must see what else would have enabled it.
 *
 * Operands are registers, or OPERAND_CONSTANT | index into sync_constants.  Branch targets are indices of instructions
 * of the code.  The operand of ERROR is an index into sync_texts.  The first registers are inputs. */
#ifndef PICKET_IR_SYNC_H
#define PICKET_IR_SYNC_H

#include "ir/instruction.h"

/* What an operation does if it cannot succeed at once. */
enum sync_mode { SYNC_MODE_WAIT, SYNC_MODE_TRY, SYNC_MODE_TIMED };

struct sync_info {
    const char *name;
    uint8_t bytes;        /* of the object at a, all of which must be accessible; 0 if there is no object */
    uint8_t mode;         /* enum sync_mode */
    const char *spelling; /* with pthreads: $a and $b are the operands; NULL if there is none */
    const char *phrase;   /* for reports: %s is the object */
};
extern const struct sync_info sync_table[SYNC_COUNT];

/* Does the operation fail, instead of waiting, if it would have to wait for an object? */
static inline bool sync_tries(unsigned kind) {
    return sync_table[kind].mode == SYNC_MODE_TRY && sync_table[kind].bytes > 0;
}

/* Is it an operation on a thread? */
static inline bool sync_is_thread(unsigned kind) {
    return sync_table[kind].bytes == 0 && kind != SYNC_BUS_LOCK && kind != SYNC_BUS_UNLOCK;
}

/* The words of objects; all are 0 after a static initialiser. */
enum sync_word {
    MUTEX_OWNER = 0, /* number + 1 of the thread that holds it */
    MUTEX_DEPTH = 4,
    MUTEX_KIND = 16, /* enum mutex_kind, where glibc has it */
    RWLOCK_WRITER = 0,
    RWLOCK_READERS = 4,
    COND_WAITING = 4, /* number of threads that wait to be woken */
    BARRIER_COUNT = 0,
    BARRIER_ARRIVED = 4,
};
#define MUTEX_BYTES 20
/* The first word of an object that was destroyed; Picket's C library puts it there. */
#define SYNC_DESTROYED UINT32_MAX
enum mutex_kind { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };
enum once_state { ONCE_NEW, ONCE_RUNNING, ONCE_DONE };

/* The record of a thread: words at addresses that no program can access.  That of a thread that does not exist is 0
 * throughout. */
enum record_field {
    RECORD_CREATED = 0,
    RECORD_ENDED = 4,
    RECORD_JOINED = 8,
    RECORD_DETACHED = 12,
    RECORD_RESULT = 16, /* 8 bytes: its result */
    RECORD_WAITS = 24,  /* 8 bytes: the object at which it waits to be woken */
    RECORD_BYTES = 32,
};
static inline unsigned record_field_size(enum record_field field) {
    return field < RECORD_RESULT ? 4 : 8;
}
#define RECORD_BASE (UINT64_C(1) << 62)
#define RECORD_NUMBERS (UINT64_C(1) << 32) /* larger numbers share the last record, which is no thread's */

static inline uint64_t record_address(uint64_t number) {
    uint64_t last = RECORD_NUMBERS - 1;
    return RECORD_BASE + (number < last ? number : last) * RECORD_BYTES;
}

static inline bool is_record(uint64_t address) {
    return address - RECORD_BASE < RECORD_NUMBERS * RECORD_BYTES;
}

static inline uint64_t record_number(uint64_t address) {
    return (address - RECORD_BASE) / RECORD_BYTES;
}

enum sync_input {
    SYNC_A,
    SYNC_B,
    SYNC_C,
    SYNC_SELF,     /* the thread's number + 1 */
    SYNC_OWN,      /* address of its record */
    SYNC_SPURIOUS, /* may waits end without a signal? */
    SYNC_INPUTS
};
#define SYNC_MAX_REGISTERS 32

struct sync_code {
    const struct instruction *instructions; /* NULL: creation, the end of a thread and the bus have no code */
    uint32_t count;
    uint32_t registers; /* in use, inputs among them */
    uint32_t second;    /* bytes of the object at b, 0 if there is none */
    bool may_wait;      /* it has a WAIT_UNLESS */
    bool may_choose;    /* it has a choice */
    bool uses_records;  /* it accesses records of threads */
    bool wakes;         /* it has a WAKE: its effect depends on the waiting threads */
};

extern const uint64_t sync_constants[];
enum sync_text { TEXT_MUTEX_OTHER, TEXT_MUTEX_FREE, TEXT_RWLOCK, TEXT_CONDITION, TEXT_DESTROYED };
extern const char *const sync_texts[]; /* %s stands for the name of the object at a */

/* The codes of all kinds, by kind. */
const struct sync_code *sync_codes(void);

#endif
