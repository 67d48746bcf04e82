/* The basis of Picket's own C library: functions that the front end turns into one instruction each (see the table in
 * library.c).  SYNC operations return 0 or an errno value. */
#ifndef PICKET_INTRINSICS_H
#define PICKET_INTRINSICS_H

#include <stddef.h>

typedef void *picket_start(void *(*)(void *), void *);

/* Two registers each, in the order of the members. */
struct picket_joined {
    long code;
    void *value;
};
struct picket_number {
    double value;
    long length;
};
struct picket_text {
    const char *address;
    size_t limit;
};

/* A va_list as x86-64 lays it out.  Picket passes all variable arguments in the overflow area, one slot of 8 bytes each
 * (two, aligned, for long double), so its pointer is the argument block for printing. */
struct picket_variable_arguments {
    unsigned gp_offset;
    unsigned fp_offset;
    void *overflow_arg_area;
    void *reg_save_area;
};
#define PICKET_BLOCK(list) (((struct picket_variable_arguments *)(list))->overflow_arg_area)

/* Threads. */
unsigned long __picket_self(void);
unsigned long __picket_thread_child(void);
unsigned long __picket_thread_create(picket_start *start, void *(*function)(void *), void *argument);
struct picket_joined __picket_thread_join(unsigned long thread);
struct picket_joined __picket_thread_tryjoin(unsigned long thread);
int __picket_thread_detach(unsigned long thread);
_Noreturn void __picket_thread_exit(void *value);

/* Synchronisation objects. */
int __picket_mutex_lock(void *mutex);
int __picket_mutex_trylock(void *mutex);
int __picket_mutex_timedlock(void *mutex);
int __picket_mutex_unlock(void *mutex);
int __picket_mutex_retake(void *mutex, unsigned long depth);
unsigned __picket_cond_release(void *condition, void *mutex);
int __picket_cond_sleep(void *condition);
int __picket_cond_timedsleep(void *condition);
int __picket_cond_signal(void *condition);
int __picket_cond_broadcast(void *condition);
int __picket_read_lock(void *lock);
int __picket_read_trylock(void *lock);
int __picket_read_timedlock(void *lock);
int __picket_write_lock(void *lock);
int __picket_write_trylock(void *lock);
int __picket_write_timedlock(void *lock);
int __picket_read_unlock(void *lock);
int __picket_write_unlock(void *lock);
int __picket_spin_lock(void *lock);
int __picket_spin_trylock(void *lock);
int __picket_sem_wait(void *semaphore);
int __picket_sem_trywait(void *semaphore);
int __picket_sem_timedwait(void *semaphore);
int __picket_sem_post(void *semaphore);
int __picket_barrier_arrive(void *barrier);
int __picket_barrier_sleep(void *barrier);
int __picket_once_begin(void *once);
int __picket_once_end(void *once);

/* Waiting, atomic sections. */
void __picket_sleep(void);
void __picket_yield(void);
void __picket_atomic_begin(void);
void __picket_atomic_end(void);

/* Memory. */
void *__picket_malloc(size_t size, size_t alignment);
void *__picket_calloc(size_t size);
void __picket_free(void *block);
size_t __picket_object_size(const void *address);

/* Output and numbers; a file is 1 (stdout) or 2 (stderr).  These are no steps: what they read is private or constant.
 * Of the strings among the arguments __picket_text finds those that are not, and `texts` has copies of these. */
int __picket_print(int file, const char *format, void *block, const char *texts);
int __picket_format(char *buffer, size_t size, const char *format, void *block, const char *texts);
struct picket_text __picket_text(const char *format, void *block, size_t index);
void __picket_write(int file, const void *bytes, size_t length);
struct picket_number __picket_strtod(const char *text);

/* Records an assumption about the outside (ir/assumption.h). */
void __picket_assumes_spurious(void);
void __picket_assumes_clock(void);
void __picket_assumes_environment(void);
void __picket_assumes_input(void);
void __picket_assumes_signals(void);
void __picket_assumes_system(void);

/* Is misuse reported (--check misuse)?  A destroyed object has a first word that operations on it recognise; it must
 * not be destroyed twice, nor in use. */
_Bool __picket_checks_misuse(void);
_Noreturn void __picket_error_DESTROYED(const char *text);
_Noreturn void __picket_error_DESTROY_IN_USE(const char *text);
_Noreturn void __picket_error_BAD_JOIN(const char *text);
_Noreturn void __picket_error_OVERLAP(const char *text);
_Noreturn void __picket_error_NOT_OWNER(const char *text);

/* The locks that this thread holds and that do not know it (held.c): the first records that a lock was taken, if the
 * code is 0, and returns the code; the second removes the lock, and returns whether it was held. */
int __picket_hold(int code, void *lock);
int __picket_let_go(void *lock);
#define PICKET_DESTROYED (~0u)
#define PICKET_DESTROY(object, name, in_use)                                                                           \
    do {                                                                                                               \
        if (__picket_checks_misuse()) {                                                                                \
            unsigned word = *(unsigned *)(object);                                                                     \
            if (word == PICKET_DESTROYED) {                                                                            \
                __picket_error_DESTROYED("a " name " is destroyed a second time");                                     \
            }                                                                                                          \
            if (in_use) {                                                                                              \
                __picket_error_DESTROY_IN_USE("a " name " is destroyed while it is in use");                           \
            }                                                                                                          \
            *(unsigned *)(object) = PICKET_DESTROYED;                                                                  \
        }                                                                                                              \
    } while (0)

/* The result of joining or detaching a thread; an error if the thread was already joined or detached. */
#define PICKET_CHECK_JOINABLE(code)                                                                                    \
    do {                                                                                                               \
        if (((code) == EINVAL || (code) == ESRCH) && __picket_checks_misuse()) {                                       \
            __picket_error_BAD_JOIN("a thread is joined or detached that was so before, or that never was there");     \
        }                                                                                                              \
    } while (0)

/* The end. */
_Noreturn void __picket_exit(int code);
_Noreturn void __picket_assert_failed(const char *expression);

/* Functions of the library itself that several of its files, or the front end, call. */
int __picket_print_all(int file, const char *format, void *block);
int __picket_format_all(char *to, size_t size, const char *format, void *block);
void __picket_write_all(int file, const void *bytes, size_t length);
_Bool __picket_is_shared(const void *address);
void *__picket_memcpy(void *to, const void *from, size_t size);
void *__picket_memmove(void *to, const void *from, size_t size);
void *__picket_memset(void *to, int value, size_t size);
void __picket_run_key_destructors(void);
int __picket_cond_wait(void *condition, void *mutex);
int __picket_cond_timedwait(void *condition, void *mutex);
void *__picket_thread_main(void *(*function)(void *), void *argument);

#endif
