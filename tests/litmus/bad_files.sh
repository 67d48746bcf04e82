# Bad litmus files: each gets an error at its place and exit code 2, and the other files of the call still run.
. "$(dirname "$0")/../bad_input/refuse"

# bad PLACE TEXT: what is on stdin is refused at line:column PLACE with TEXT.
bad() {
    cat >bad.litmus
    refuse "bad.litmus:$1: error: $2" "$PICKET" litmus bad.litmus
}

bad 4:2 'not supported: instruction "FROB [x],$1"' <<'LITMUS'
X86 T
{ x=0; }
 P0 ;
 FROB [x],$1 ;
exists (x=1)
LITMUS
bad 4:2 "unknown register 'EQX'" <<'LITMUS'
X86 T
{ x=0; }
 P0 ;
 MOV [x],EQX ;
exists (x=1)
LITMUS
bad 5:11 "unknown register 'RAX'" <<'LITMUS'
X86 T
{ x=0; }
 P0 ;
 MOV [x],EAX ;
exists (0:RAX=1)
LITMUS
bad 2:1 "the initial state has no '}'" <<'LITMUS'
X86 T
{ x=0;
 P0 ;
 MOV [x],EAX ;
exists (x=1)
LITMUS
bad 4:2 "the row has no ';' at its end" <<'LITMUS'
X86 T
{ x=0; }
 P0 ;
 MOV [x],EAX
exists (x=1)
LITMUS
bad 4:2 "the comment does not end" <<'LITMUS'
X86 T
{ x=0; }
 P0 ;
 (* MOV [x],EAX ;
exists (x=1)
LITMUS
bad 4:16 "more columns than threads" <<'LITMUS'
X86 T
{ }
 P0 ;
 MOV [x],EAX | MOV [y],EAX ;
exists (x=1)
LITMUS
bad 5:9 "there is no thread P1" <<'LITMUS'
X86 T
{ }
 P0 ;
 MOV [x],EAX ;
exists (1:EAX=1)
LITMUS
bad 6:1 "expected ')' in the condition" <<'LITMUS'
X86 T
{ }
 P0 ;
 MOV [x],EAX ;
exists (0:EAX=1
LITMUS
bad 5:18 "unexpected text after the condition" <<'LITMUS'
X86 T
{ }
 P0 ;
 MOV [x],EAX ;
exists (0:EAX=1) 0:EBX=1
LITMUS
bad 4:2 "no label for this jump" <<'LITMUS'
X86 T
{ }
 P0 ;
 JMP L0 ;
exists (x=1)
LITMUS
bad 4:2 "two operands in memory" <<'LITMUS'
X86 T
{ }
 P0 ;
 MOV [x],[y] ;
exists (x=1)
LITMUS
bad 4:2 "wild-pointer" <<'LITMUS'
X86 T
{ 0:EBX=5; }
 P0 ;
 MOV EAX,[EBX] ;
exists (0:EAX=1)
LITMUS
bad 2:3 "unknown type 'double'" <<'LITMUS'
X86 T
{ double x=0; }
 P0 ;
 MOV [x],EAX ;
exists (x=1)
LITMUS
bad 1:1 "not a litmus test for X86 or X86_64" <<'LITMUS'
PPC T
{ }
 P0 ;
 li r1,1 ;
exists (x=1)
LITMUS
bad 1:1 "the file is empty" </dev/null
refuse "cannot read missing.litmus" "$PICKET" litmus missing.litmus

# Much of nothing: 10 MB of noise, of parentheses, of one word.
awk 'BEGIN { srand(1); for (i = 0; i < 10000000; i++) printf "%c", 33 + int(rand() * 90) }' >noise.litmus
refuse "noise.litmus:1:" "$PICKET" litmus noise.litmus
{
    printf 'X86 T\n{}\n P0 ;\n NOP ;\nexists '
    head -c 10000000 /dev/zero | tr '\0' '('
} >deep.litmus
refuse "deep.litmus:5:2009: error: the condition is too deep" "$PICKET" litmus deep.litmus
head -c 10000000 /dev/zero >zeros.litmus
refuse "zeros.litmus:1:1: error: this is not text" "$PICKET" litmus zeros.litmus

# The others still run, in their order.
cat >good.litmus <<'LITMUS'
X86 good
{}
 P0         ;
 MOV [x],$1 ;
forall (x=1)
LITMUS
for jobs in 1 3; do
    refuse "not a litmus test" "$PICKET" litmus -j $jobs good.litmus noise.litmus good.litmus deep.litmus
    test "$(grep -c 'Observation good Always 1 0' said)" = 2
done
