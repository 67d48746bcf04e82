// run => native
// Objects read as bytes, and bytes assembled into objects.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t read_big(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static void write_little(uint8_t *p, uint64_t v) {
    for (int i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

int main(void) {
    uint8_t buffer[16];
    write_little(buffer, 0x0123456789abcdef);
    write_little(buffer + 8, 0xfedcba9876543210);
    for (int i = 0; i < 16; i++)
        printf("%02x", buffer[i]);
    printf("\n%x %x\n", read_big(buffer + 3), read_big(buffer + 9));
    uint64_t whole;
    memcpy(&whole, buffer + 5, sizeof whole);
    printf("%llx\n", (unsigned long long)whole);
    double d = -0.15625;
    unsigned char *p = (unsigned char *)&d;
    for (size_t i = 0; i < sizeof d; i++)
        printf("%02x ", p[i]);
    p[7] &= 0x7f;
    printf("%g\n", d);
    uintptr_t address = (uintptr_t)&buffer[4];
    uint8_t *back = (uint8_t *)(address + 3);
    printf("%x\n", *back);
    uintptr_t tagged = (uintptr_t)&whole | 1;
    printf("%d %llx\n", (int)(tagged & 1), (unsigned long long)*(uint64_t *)(tagged & ~(uintptr_t)1));
    return 0;
}
