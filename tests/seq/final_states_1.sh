. "$(dirname "$0")/final_states"
final_states sc
