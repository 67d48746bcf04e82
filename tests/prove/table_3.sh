# Part 3 of 3.
part=3
parts=3
. "$(dirname "$0")/table"
"$root/bench/prove/table.sh" write+r >printed
grep -q '^write+r  *+/[+?]  *-/-  *+ ' printed || { cat printed; exit 1; }
