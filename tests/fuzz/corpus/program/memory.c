/* An input of fuzz_program: read by the front end, saved, and then damaged. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct node {
    struct node *next;
    int v[3];
};
static struct node *head;
static void use(int *p) {
    head->v[0] = *p;
    head->next = (struct node *)p;
}
int main(int n, char **v) {
    head = malloc(sizeof *head);
    memset(head, 0, sizeof *head);
    int x = n;
    use(&x);
    int vla[n + 2];
    vla[n] = 1;
    head->v[1] = vla[n];
    free(head);
    return 0;
}
