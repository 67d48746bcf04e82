# By which calls an error was reached, and both sides of a race; calls that were inlined are among them.
. "$(dirname "$0")/reports"
reports calls --engine explore calls.c
reports race_of_calls --engine explore --check races race_of_calls.c

"$PICKET" check --engine explore --no-explain --witness witness.json calls.c >report && exit 1
! grep -q 'called from' report || { echo 'calls are shown with --no-explain'; cat report; exit 1; }
