// run => native
// A flexible array member.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet {
    unsigned length;
    char tag;
    char data[];
};

static struct packet *make(char tag, const char *text) {
    size_t length = strlen(text);
    struct packet *packet = malloc(sizeof *packet + length + 1);
    packet->length = (unsigned)length;
    packet->tag = tag;
    memcpy(packet->data, text, length + 1);
    return packet;
}

int main(void) {
    struct packet *packets[] = {make('a', "alpha"), make('b', ""), make('c', "a much longer text than the others")};
    for (int i = 0; i < 3; i++) {
        printf("%c %u %s\n", packets[i]->tag, packets[i]->length, packets[i]->data);
        free(packets[i]);
    }
    printf("%zu\n", sizeof(struct packet));
    return 0;
}
