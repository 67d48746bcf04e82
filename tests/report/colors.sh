# Colours: on a terminal, unless NO_COLOR is set or the terminal has none; otherwise only on request.  What
# stands in a program makes none.
. "$(dirname "$0")/reports"
cp "$here/two_threads.c" .
escape=$(printf '\033')

has_colors() {
    grep -q "$escape\[1;31m" shown || { echo "no colours: $*"; cat shown; exit 1; }
    # Without them the text is the same.
    sed "s/$escape\[[0-9;]*m//g" shown | diff plain - || { echo "$*: colours change the text"; exit 1; }
}

has_none() {
    ! grep -q "$escape" shown || { echo "colours: $*"; cat shown; exit 1; }
}

"$PICKET" check --engine explore --witness witness.json two_threads.c >/dev/null && exit 1
"$PICKET" replay witness.json >plain && exit 1
"$PICKET" replay --color always witness.json >shown && exit 1
has_colors always
"$PICKET" replay --color auto witness.json >shown && exit 1
has_none 'in a file'
export TERM=xterm
unset NO_COLOR
on_terminal 80 replay witness.json >shown
has_colors 'on a terminal'
on_terminal 80 replay --color never witness.json >shown
has_none never
NO_COLOR=1 on_terminal 80 replay witness.json >shown
has_none NO_COLOR
TERM=dumb on_terminal 80 replay witness.json >shown
has_none 'dumb terminal'
"$PICKET" replay --color sometimes witness.json >shown 2>said && exit 1 || [ $? = 2 ]

sed "s/both < 2/both < 2 \&\& \"$escape[31m\"/" two_threads.c >colored.c
"$PICKET" check --engine explore --color never --witness witness.json colored.c >shown && exit 1
has_none 'of the program'
