# Fences for larger programs and for the examples, by patch.
. "$(dirname "$0")/patched"
repair_all <<'END'
parker 1 1 1
cilk_the 2 2 3
bakery 2 2 3
szymanski 3 2 3
END

cp "$root"/examples/*.c .
repair lost_wake_up 2
patched check
repair message_passing 1 --model pso
grep -q '^+ *atomic_thread_fence(memory_order_release);' patched/patch
patched check --model pso
