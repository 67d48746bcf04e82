// run => native
// Sleeping and yielding return; the clock can be read.
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec now, little = {0, 1000};
    printf("%d\n", clock_gettime(CLOCK_MONOTONIC, &now));
    printf("%d\n", now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    printf("%d %d %d\n", nanosleep(&little, NULL), usleep(1), sched_yield());
    printf("%d\n", time(NULL) != (time_t)-1);
    printf("%d\n", getpid() > 0);
    printf("%d\n", sysconf(_SC_NPROCESSORS_ONLN) > 0);
    return 0;
}
