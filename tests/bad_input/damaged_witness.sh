# A witness that is no witness.
. "$(dirname "$0")/refuse"

echo '{' >broken.json
refuse "broken.json" "$PICKET" replay broken.json
echo '{"version": 1}' >empty.json
refuse "empty.json" "$PICKET" replay empty.json
