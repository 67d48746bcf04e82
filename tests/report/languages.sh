# Rows of a litmus test show its instructions, those of an automaton its transitions; without its source, or
# if that has changed since the program was saved, a program's operations are shown alone.
. "$(dirname "$0")/reports"
reports litmus --engine explore --check races race.litmus
reports automaton --engine explore dekker.aut
cp "$here/two_threads.c" .
"$PICKET" show --save program.picket two_threads.c
mv two_threads.c hidden
reports no_source --engine explore program.picket
sed 's/x = 1;/y = 0;/' hidden >two_threads.c
touch -d '+1 minute' two_threads.c
reports no_source --engine explore program.picket
mv hidden two_threads.c
touch -d '-1 minute' two_threads.c
reports saved --engine explore program.picket
