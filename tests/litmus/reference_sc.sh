# All reference tests under SC.
. "$(dirname "$0")/compare"
compare sc
