// check --engine explore --model sc => safe traces 1 blocked 0
// check --engine explore --model tso => safe traces 1 blocked 0
// check --engine explore --model pso => safe traces 1 blocked 0
// run => native
// check --engine random --runs 3 => undecided
/* Every kind of operation of Concurrency Kit's ck_pr.h in one thread: the same results as natively. */
#include <ck_pr.h>
#include <inttypes.h>
#include <stdio.h>

#define SHOW(value) printf("%-40s %" PRIu64 "\n", #value, (uint64_t)(value))

static uint64_t u64 = 100;
static uint32_t u32 = 100;
static uint16_t u16 = 100;
static uint8_t u8 = 100;
static int i32 = -5;
static void *pointer;
static double number = 1.5;
static uint64_t both[2] __attribute__((aligned(16))) = {1, 2};

static void arithmetic(void) {
    ck_pr_add_64(&u64, 5);
    ck_pr_sub_32(&u32, 200);
    ck_pr_or_16(&u16, 0xf00);
    ck_pr_and_8(&u8, 0x64);
    ck_pr_xor_64(&u64, 0xffff0000ffff0000);
    ck_pr_inc_8(&u8);
    ck_pr_dec_16(&u16);
    ck_pr_neg_int(&i32);
    ck_pr_not_32(&u32);
    SHOW(u64);
    SHOW(u32);
    SHOW(u16);
    SHOW(u8);
    SHOW(i32);
    SHOW(ck_pr_faa_64(&u64, 7));
    SHOW(ck_pr_faa_8(&u8, 200));
    SHOW(ck_pr_fas_16(&u16, 9));
    SHOW(ck_pr_fas_32(&u32, 1));
    SHOW(ck_pr_dec_32_is_zero(&u32));
    SHOW(ck_pr_inc_32_is_zero(&u32));
    SHOW(ck_pr_neg_8_is_zero(&u8));
    SHOW(ck_pr_load_8(&u8));
}

static void exchange(void) {
    uint64_t old64;
    uint8_t old8;
    SHOW(ck_pr_cas_64(&u64, 1, 2));
    SHOW(ck_pr_cas_64(&u64, u64, 2));
    SHOW(ck_pr_cas_64_value(&u64, 3, 4, &old64));
    SHOW(old64);
    SHOW(ck_pr_cas_8(&u8, u8, 77));
    SHOW(ck_pr_cas_8_value(&u8, 1, 2, &old8));
    SHOW(old8);
    SHOW(ck_pr_cas_ptr(&pointer, NULL, &u64));
    SHOW(ck_pr_load_ptr(&pointer) == &u64);
    SHOW(ck_pr_fas_ptr(&pointer, NULL) == &u64);
    ck_pr_store_double(&number, 2.5);
    SHOW(ck_pr_load_double(&number) * 10);
    SHOW(ck_pr_fas_double(&number, 4.5) * 10);
    SHOW(ck_pr_cas_double(&number, 4.5, 5.5));
}

static void wide(void) {
    uint64_t expected[2] = {1, 2};
    uint64_t desired[2] = {3, 4};
    uint64_t seen[2];
    SHOW(ck_pr_cas_64_2(both, expected, desired));
    SHOW(ck_pr_cas_64_2(both, expected, desired));
    SHOW(ck_pr_cas_64_2_value(both, expected, desired, seen));
    SHOW(seen[0] * 10 + seen[1]);
    ck_pr_load_64_2(both, seen);
    SHOW(seen[0] * 10 + seen[1]);
}

static void bits(void) {
    u64 = 0;
    SHOW(ck_pr_bts_64(&u64, 40));
    SHOW(ck_pr_bts_64(&u64, 40));
    SHOW(ck_pr_btc_64(&u64, 3));
    SHOW(ck_pr_btr_64(&u64, 40));
    SHOW(u64);
    u16 = 0;
    SHOW(ck_pr_bts_16(&u16, 9));
    SHOW(u16);
}

int main(void) {
    arithmetic();
    exchange();
    wide();
    bits();
    ck_pr_fence_strict_load();
    ck_pr_fence_strict_store();
    ck_pr_fence_strict_memory();
    ck_pr_fence_memory();
    ck_pr_rfo(&u64);
    ck_pr_stall();
    return 0;
}
