// run => native
// Three sorts over a pseudo-random array.
#include <stdio.h>
#include <string.h>

#define N 60

static void insertion(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i], j = i;
        for (; j > 0 && a[j - 1] > x; j--) {
            a[j] = a[j - 1];
        }
        a[j] = x;
    }
}

static void quick(int *a, int low, int high) {
    if (low >= high) {
        return;
    }
    int pivot = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quick(a, low, j);
    quick(a, i, high);
}

static void sift(int *a, int root, int n) {
    for (int child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && a[child + 1] > a[child])
            child++;
        if (a[root] >= a[child])
            return;
        int t = a[root];
        a[root] = a[child];
        a[child] = t;
    }
}

static void heap(int *a, int n) {
    for (int i = n / 2; i-- > 0;)
        sift(a, i, n);
    for (int i = n; i-- > 1;) {
        int t = a[0];
        a[0] = a[i];
        a[i] = t;
        sift(a, 0, i);
    }
}

int main(void) {
    int a[N], b[N], c[N];
    unsigned seed = 12345;
    for (int i = 0; i < N; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = (int)(seed >> 16) % 1000 - 500;
    }
    memcpy(b, a, sizeof a);
    memcpy(c, a, sizeof a);
    insertion(a, N);
    quick(b, 0, N - 1);
    heap(c, N);
    printf("%d %d\n", memcmp(a, b, sizeof a), memcmp(a, c, sizeof a));
    for (int i = 0; i < N; i++) {
        printf("%d%c", a[i], i % 10 == 9 ? '\n' : ' ');
    }
    return 0;
}
