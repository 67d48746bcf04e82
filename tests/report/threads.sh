# Two threads side by side; three and ten in one column.
. "$(dirname "$0")/reports"
reports two_threads --engine explore two_threads.c
reports three_threads --engine explore three_threads.c
reports ten_threads --engine explore ten_threads.c
