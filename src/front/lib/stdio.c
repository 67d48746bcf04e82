/* Output of <stdio.h>.  The machine formats and prints; a FILE is one of three whose index in an array is its number,
 * so finding it reads no memory.  Standard input is empty; other files are not modelled. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "intrinsics.h"

#undef putc
#undef putchar
#undef getc
#undef getchar
#undef feof
#undef ferror
#undef clearerr
#undef fileno

static struct _IO_FILE files[3];

/* Constants, although the header declares variables, so that reading them is no access to shared memory. */
struct _IO_FILE *const picket_stdin __asm__("stdin") = &files[0];
struct _IO_FILE *const picket_stdout __asm__("stdout") = &files[1];
struct _IO_FILE *const picket_stderr __asm__("stderr") = &files[2];

int fileno(FILE *stream) {
    return (int)(stream - files);
}

int fileno_unlocked(FILE *stream) {
    return fileno(stream);
}

int vfprintf(FILE *restrict stream, const char *restrict format, va_list list) {
    return __picket_print_all(fileno(stream), format, PICKET_BLOCK(list));
}

int vprintf(const char *restrict format, va_list list) {
    return __picket_print_all(1, format, PICKET_BLOCK(list));
}

int vdprintf(int file, const char *restrict format, va_list list) {
    return __picket_print_all(file, format, PICKET_BLOCK(list));
}

/* Formatted text is kept for the report; printing never fails. */
int printf(const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = __picket_print_all(1, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int fprintf(FILE *restrict stream, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = __picket_print_all(fileno(stream), format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int dprintf(int file, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int length = __picket_print_all(file, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int __printf_chk(int flag, const char *restrict format, ...) {
    (void)flag;
    va_list list;
    va_start(list, format);
    int length = __picket_print_all(1, format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...) {
    (void)flag;
    va_list list;
    va_start(list, format);
    int length = __picket_print_all(fileno(stream), format, PICKET_BLOCK(list));
    va_end(list);
    return length;
}

int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format, va_list list) {
    (void)flag;
    return __picket_print_all(fileno(stream), format, PICKET_BLOCK(list));
}

int __vprintf_chk(int flag, const char *restrict format, va_list list) {
    (void)flag;
    return __picket_print_all(1, format, PICKET_BLOCK(list));
}

void perror(const char *prefix) {
    const char *texts[3] = {prefix, strerror(errno), NULL};
    if (prefix && *prefix) {
        __picket_print_all(2, "%s: %s\n", texts);
    } else {
        __picket_print_all(2, "%s\n", texts + 1);
    }
}

int puts(const char *text) {
    return __picket_print_all(1, "%s\n", &text);
}

int fputs(const char *restrict text, FILE *restrict stream) {
    return __picket_print_all(fileno(stream), "%s", (void *)&text);
}

int fputs_unlocked(const char *restrict text, FILE *restrict stream) {
    return fputs(text, stream);
}

int fputc(int c, FILE *stream) {
    char byte = (char)c;
    __picket_write(fileno(stream), &byte, 1);
    return (unsigned char)c;
}

int putc(int c, FILE *stream) {
    return fputc(c, stream);
}

int putchar(int c) {
    char byte = (char)c;
    __picket_write(1, &byte, 1);
    return (unsigned char)c;
}

int putchar_unlocked(int c) {
    return putchar(c);
}

int putc_unlocked(int c, FILE *stream) {
    return fputc(c, stream);
}

size_t fwrite(const void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
    __picket_write_all(fileno(stream), bytes, size * count);
    return size == 0 ? 0 : count;
}

int fflush(FILE *stream) {
    (void)stream;
    return 0;
}

int fclose(FILE *stream) {
    (void)stream;
    return 0;
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
    (void)stream;
    (void)buffer;
    (void)mode;
    (void)size;
    return 0;
}

void setbuf(FILE *restrict stream, char *restrict buffer) {
    (void)stream;
    (void)buffer;
}

void setlinebuf(FILE *stream) {
    (void)stream;
}

void flockfile(FILE *stream) {
    (void)stream;
}

void funlockfile(FILE *stream) {
    (void)stream;
}

int ferror(FILE *stream) {
    (void)stream;
    return 0;
}

int feof(FILE *stream) {
    return stream == &files[0];
}

void clearerr(FILE *stream) {
    (void)stream;
}

/* Standard input: at its end from the start. */
int fgetc(FILE *stream) {
    __picket_assumes_input();
    (void)stream;
    return EOF;
}

/* At the end of the input. */
int getc(FILE *stream) {
    __picket_assumes_input();
    (void)stream;
    return EOF;
}

/* At the end of the input. */
int getchar(void) {
    __picket_assumes_input();
    return EOF;
}

/* At the end of the input. */
char *fgets(char *restrict buffer, int size, FILE *restrict stream) {
    __picket_assumes_input();
    (void)buffer;
    (void)size;
    (void)stream;
    return NULL;
}

/* At the end of the input. */
size_t fread(void *restrict bytes, size_t size, size_t count, FILE *restrict stream) {
    __picket_assumes_input();
    (void)bytes;
    (void)size;
    (void)count;
    (void)stream;
    return 0;
}

/* At the end of the input: stores nothing. */
int scanf(const char *restrict format, ...) {
    __picket_assumes_input();
    (void)format;
    return EOF;
}
