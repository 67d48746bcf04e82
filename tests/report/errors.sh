# Errors without a late store, which show what stands around them; lines of a header.
. "$(dirname "$0")/reports"
reports deadlock --engine explore deadlock.c
reports race --engine explore --check races race.c
reports leak --engine explore --check leaks leak.c
reports liveness --engine explore --check liveness liveness.c
reports lost_update --engine explore --model sc lost_update.c
reports use_after_free --engine explore use_after_free.c
reports list --engine explore list.c
cp "$here/increment.h" .
reports with_header --engine explore with_header.c
