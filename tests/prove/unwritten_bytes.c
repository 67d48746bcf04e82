// prove => violation assertion:16
// prove -DTRUE => output "1 claim"
/* Bytes that nobody writes, read in two sizes: what is known of one byte is not what is known of both. */
#include <picket.h>
#include <pthread.h>

#ifdef TRUE
#define MOST 256
#else
#define MOST 0
#endif

static const unsigned char bytes[2] = {0, 1};
static void *reader(void *argument) {
    int first = *(const volatile unsigned char *)bytes;
    picket_claim(first == 0 && *(const unsigned short *)bytes <= MOST);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
    return 0;
}
