# A file whose kind is not known.
. "$(dirname "$0")/refuse"

echo hello >letter.txt
refuse "letter.txt" "$PICKET" check letter.txt
