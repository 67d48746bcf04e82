/* The end of the process: exit, and the functions that run before it. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "intrinsics.h"

#define HANDLERS 64

/* One of the two functions is set. */
struct exit_handler {
    void (*function)(void);
    void (*function_with_data)(int, void *);
    void *data;
};

static int handler_count;
static struct exit_handler handlers[HANDLERS];
static int quick_handler_count;
static void (*quick_handlers[HANDLERS])(void);

/* Last in, first out; a handler may register another one. */
static void run_exit_handlers(int code) {
    while (handler_count > 0) {
        struct exit_handler *handler = &handlers[--handler_count];
        if (handler->function) {
            handler->function();
        } else {
            handler->function_with_data(code, handler->data);
        }
    }
}

static struct exit_handler *exit_handler_new(void) {
    return handler_count < HANDLERS ? &handlers[handler_count++] : NULL;
}

int atexit(void (*function)(void)) {
    struct exit_handler *handler = exit_handler_new();
    if (!handler) {
        return -1;
    }
    handler->function = function;
    return 0;
}

int on_exit(void (*function)(int, void *), void *data) {
    struct exit_handler *handler = exit_handler_new();
    if (!handler) {
        return -1;
    }
    handler->function_with_data = function;
    handler->data = data;
    return 0;
}

int at_quick_exit(void (*function)(void)) {
    if (quick_handler_count == HANDLERS) {
        return -1;
    }
    quick_handlers[quick_handler_count++] = function;
    return 0;
}

_Noreturn void exit(int code) {
    run_exit_handlers(code);
    __picket_exit(code);
}

_Noreturn void quick_exit(int code) {
    while (quick_handler_count > 0) {
        quick_handlers[--quick_handler_count]();
    }
    __picket_exit(code);
}
