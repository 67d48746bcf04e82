// check --model sc => violation assertion:52
// check --model tso => violation assertion:52
// check --model tso --engine auto => violation assertion:52
// check --model tso --engine reach => violation assertion:52
// check --model tso --engine lazy => violation assertion:52
// check --model tso --engine rounds => violation assertion:52
// check --model sc --engine brute => violation assertion:52
// check --model tso -DLOCKED => safe
// check --model tso -DLOCKED --check races => safe
// check --model tso --check races -DPRINT => violation race
// check --model tso --check races -DPUTS => violation race
// check --model tso --check races -DWRITE => violation race
// check --model tso --check races -DNUMBER => violation race
// check --model tso --check races -DFORMAT => violation race
// check --model tso --check races -DPRINT --engine brute => violation race
// check --model sc -DTWO => violation assertion:47
// check --model sc -DTWO --engine reach => violation assertion:47
// A library function that formats, prints or parses text reads it as any other function does: byte by byte, while other
// threads change it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char name[8] = "1", other[8] = "x", format[8] = "a%s";
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void use(void) {
#if defined LOCKED
    char copy[8];
    pthread_mutex_lock(&mutex);
    snprintf(copy, sizeof copy, "<%s>", name);
    pthread_mutex_unlock(&mutex);
    assert(strcmp(copy, "<1>") == 0 || strcmp(copy, "<2>") == 0);
#elif defined PRINT
    printf("%d %s\n", 1, name);
#elif defined PUTS
    puts(name);
#elif defined WRITE
    fwrite(name, 1, 1, stdout);
#elif defined NUMBER
    assert(atof(name) < 3);
#elif defined TWO
    char copy[16];
    sprintf(copy, "%.4s%s", name, other);
    assert(strcmp(copy, "2x") != 0 && strcmp(copy, "1y") != 0); // here: either may have changed alone
#elif defined FORMAT
    printf(format, "text");
#else
    char copy[8];
    snprintf(copy, sizeof copy, "<%s>", name), assert(strcmp(copy, "<1>") == 0);
#endif
}

static void *changer(void *unused) {
    pthread_mutex_lock(&mutex);
    name[0] = '2';
    format[0] = 'b';
    pthread_mutex_unlock(&mutex);
    other[0] = 'y';
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, changer, NULL);
    use();
    pthread_join(thread, NULL);
    return 0;
}
