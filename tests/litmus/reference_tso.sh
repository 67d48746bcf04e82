# All reference tests under TSO.
. "$(dirname "$0")/compare"
compare tso
