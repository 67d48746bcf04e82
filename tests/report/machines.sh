# Reports for other machines: SARIF and JSON in files beside the text, and lines for GitHub.
here=$(cd "$(dirname "$0")" && pwd)
validate=$(dirname "$PICKET")/tests/commands/validate
cp "$here/two_threads.c" .

# What GitHub needs of SARIF 2.1.0.
cat >sarif.schema.json <<'JSON'
{
 "type": "object",
 "required": ["$schema", "version", "runs"],
 "properties": {
  "version": {"enum": ["2.1.0"]},
  "runs": {"type": "array", "items": {
   "type": "object",
   "required": ["tool", "results", "invocations"],
   "properties": {
    "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
     "type": "object", "required": ["name", "version", "rules"],
     "properties": {"rules": {"type": "array", "items": {"type": "object", "required": ["id", "shortDescription", "help"]}}}}}},
    "results": {"type": "array", "items": {
     "type": "object",
     "required": ["ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "codeFlows", "partialFingerprints"],
     "properties": {
      "level": {"enum": ["error"]},
      "codeFlows": {"type": "array", "items": {"type": "object", "required": ["threadFlows"], "properties": {
       "threadFlows": {"type": "array", "items": {"type": "object", "required": ["id", "locations"], "properties": {
        "locations": {"type": "array", "items": {"type": "object", "required": ["location", "executionOrder"]}}}}}}}}}}},
    "invocations": {"type": "array", "items": {"type": "object", "required": ["executionSuccessful", "toolExecutionNotifications"]}}}}}
 }
}
JSON

# reports CODE ARGUMENT...: exit code, and both files are there and sound
reports() {
    wanted=$1
    shift
    code=0
    rm -f report.json report.sarif
    "$PICKET" check --no-explain --witness witness.json --json report.json --sarif report.sarif "$@" >text 2>said || code=$?
    [ "$code" = "$wanted" ] || { echo "$*: exit code $code"; cat text said; exit 1; }
    "$validate" "$here/../../docs/report.schema.json" report.json
    "$validate" sarif.schema.json report.sarif
}

reports 1 two_threads.c
grep -q '"verdict": "violation"' report.json
grep -q '"outdated": true' report.json
grep -q '"ruleId": "assertion"' report.sarif
grep -q '"uri": "two_threads.c"' report.sarif
print=$(grep kindAndSourceLine report.sarif)
sed 's/^#include <assert.h>/\n\n&/' two_threads.c >moved.c
reports 1 moved.c
[ "$(grep kindAndSourceLine report.sarif)" = "$print" ] || { echo 'another fingerprint where only lines have moved'; exit 1; }

printf 'int main(void) { return 0; }\n' >right.c
reports 0 right.c
grep -q '"results": \[\]' report.sarif
printf 'int main(void) { return unknown; }\n' >wrong.c
reports 2 wrong.c
grep -q '"executionSuccessful": false' report.sarif
grep -q 'toolExecutionNotifications' report.sarif && grep -q 'unknown' report.sarif

"$PICKET" check --no-explain --witness witness.json --format github two_threads.c >text || true
grep -q '^::error file=two_threads.c,line=[0-9]*,col=[0-9]*,title=picket assertion::assertion' text || { cat text; exit 1; }
code=0
"$PICKET" robust --format github two_threads.c >text 2>&1 || code=$?
[ $code = 2 ]
code=0
"$PICKET" check --no-explain --witness witness.json --sarif /nowhere/report.sarif right.c >text 2>said || code=$?
[ $code = 2 ]
grep -q 'cannot write the report' said
