/* Places that several threads access, the numbers that they can hold, and the registers that remember some of them. */
#include "prove/candidates.h"

#include "machine/arithmetic.h"
#include "prove/facts.h"

#define MOST_PLACES 6u
#define MOST_NUMBERS 4u
#define MOST_COMPARED 256
#define MOST_IMPLIED 2u   /* numbers of one place that implications use */
#define MOST_REGISTERS 5u /* of one point */
#define MOST_FIELDS 4u    /* of the objects of one pointer */
#define MOST_ARRAYS 2u
#define MOST_BOUNDS 12u

/* --- Places ------------------------------------------------------------------------------------------------------- */

static bool is_accessed(const struct questions *questions, const struct value *where, uint32_t size) {
    struct access access = {.present = true, .size = size, .address = *where};
    for (size_t i = 0; i < questions->steps->steps.count; i++) {
        if (step_overlaps(questions->steps, step_of(questions->steps, i), &access, false)) {
            return true;
        }
    }
    return false;
}

/* Is it one of many elements?  Facts are about all of these. */
static bool is_element(const struct inferred *inferred, const struct fact_place *place) {
    for (size_t i = 0; i < inferred->arrays.count; i++) {
        const struct array *array = vector_at(&inferred->arrays, i);
        if (array->count > MOST_NUMBERS && place->address - array->address < array->count * array->stride &&
            array_fits(array, &place->where, place->size)) {
            return true;
        }
    }
    return false;
}

static void find_places(struct inferred *inferred) {
    const struct space *space = &inferred->questions->system->space;
    for (uint32_t o = 1; o < space->objects.count; o++) {
        const struct object *object = object_of(space, o);
        for (size_t c = 0; c < object->cells.count && inferred->places.count < MOST_PLACES; c++) {
            const struct cell *cell = vector_at(&object->cells, c);
            struct fact_place place = {
                .address = object->base + cell->offset, .size = cell->size, .where = value_address(o, cell->offset)};
            if (object->kind == OBJECT_FIXED && !object->private && !object->smeared && object->stride == 0 &&
                !object->ends && cell->written && !cell->mixed && !cell->bytes && cell->size <= 8 &&
                !is_element(inferred, &place) && is_accessed(inferred->questions, &place.where, cell->size)) {
                vector_push(&inferred->places, &place);
            }
        }
    }
}

/* Each with an element of which nothing is known. */
static void find_arrays(struct inferred *inferred) {
    struct solver *solver = &inferred->questions->solver;
    arrays_find(inferred->questions->system, &inferred->arrays, MOST_ARRAYS);
    for (size_t i = 0; i < inferred->arrays.count; i++) {
        const struct array *array = vector_at(&inferred->arrays, i);
        struct term index = solver_variable(solver, "index", 0, array->count - 1);
        struct term address =
            solver_plus(solver, term_number(array->address), solver_times(solver, index, array->stride));
        vector_push(&inferred->elements, &address);
    }
}

static const struct cell *cell_of(const struct inferred *inferred, const struct fact_place *place) {
    const struct object *object = object_of(&inferred->questions->system->space, place->where.parts[0].object);
    for (size_t c = 0; c < object->cells.count; c++) {
        const struct cell *cell = vector_at(&object->cells, c);
        if (object->base + cell->offset == place->address && cell->size == place->size) {
            return cell;
        }
    }
    return NULL;
}

struct numbers {
    uint64_t list[MOST_NUMBERS];
    unsigned count;
    bool all; /* the place holds only these */
};

static void add_number(struct numbers *numbers, uint64_t number) {
    for (unsigned i = 0; i < numbers->count; i++) {
        if (numbers->list[i] == number) {
            return;
        }
    }
    if (numbers->count < MOST_NUMBERS) {
        numbers->list[numbers->count++] = number;
    } else {
        numbers->all = false;
    }
}

/* Numbers with which the program compares something. */
static void add_compared(const struct inferred *inferred, struct numbers *numbers) {
    const struct program *flat = &inferred->questions->system->flat;
    for (size_t i = 0; i < flat->code_count && numbers->count < MOST_NUMBERS; i++) {
        const struct instruction *code = &flat->code[i];
        if (code->op == OP_ICMP && (code->b & OPERAND_CONSTANT) &&
            flat->constants[code->b & ~OPERAND_CONSTANT] < MOST_COMPARED) {
            add_number(numbers, flat->constants[code->b & ~OPERAND_CONSTANT]);
        }
    }
}

/* The values of a place, if there are few; otherwise its initial value, the next number, and numbers of the program. */
static struct numbers numbers_of(const struct inferred *inferred, const struct fact_place *place) {
    const struct system *system = inferred->questions->system;
    const struct value *value = &cell_of(inferred, place)->value;
    struct numbers numbers = {.all = !value->any};
    uint64_t initial[2] = {0, 0};
    machine_peek(system->machine, place->address, place->size, initial);
    add_number(&numbers, initial[0]);
    for (unsigned i = 0; i < value->count && !value->any; i++) {
        const struct part *part = &value->parts[i];
        uint64_t base = 0;
        if (part->object != NUMBERS) {
            const struct object *object = object_of(&system->space, part->object);
            numbers.all = numbers.all && object->kind == OBJECT_FIXED;
            base = object->base;
        }
        uint64_t stride = part->stride ? part->stride : 1;
        if (!numbers.all || (part->high - part->low) / stride >= MOST_NUMBERS) {
            numbers.all = false;
            add_number(&numbers, initial[0] + 1);
            add_compared(inferred, &numbers);
            break;
        }
        for (uint64_t number = part->low; number <= part->high; number += stride) {
            add_number(&numbers, number + base);
        }
    }
    return numbers;
}

/* --- Bounds ------------------------------------------------------------------------------------------------------- */

/* Does some load, read-modify-write or addition of the thread set the register? */
static bool remembers(const struct instance *thread, uint32_t reg, bool updates_only) {
    for (uint32_t i = 0; i < thread->system->flat.functions[thread->class->function].count; i++) {
        const struct instruction *code = &thread->code[i];
        bool kind = code->op == OP_RMW || (!updates_only && (code->op == OP_LOAD || code->op == OP_CAS));
        if (kind && instruction_reached(thread->class, i) && !thread->class->noted[i] && code->dst == reg) {
            return true;
        }
    }
    return false;
}

/* Signed numbers, of 32 bits. */
struct bounds {
    int64_t list[MOST_BOUNDS];
    unsigned count;
};

static void add_bound(struct bounds *bounds, int64_t number) {
    for (unsigned i = 0; i < bounds->count; i++) {
        if (bounds->list[i] == number) {
            return;
        }
    }
    if (bounds->count < MOST_BOUNDS) {
        bounds->list[bounds->count++] = number;
    }
}

static bool is_order(uint8_t predicate) {
    return predicate != PREDICATE_EQ && predicate != PREDICATE_NE;
}

/* The numbers that bound what threads have read, each also one less and one more. */
static struct bounds bounds_of(const struct inferred *inferred) {
    struct questions *questions = inferred->questions;
    const struct program *flat = &questions->system->flat;
    struct bounds bounds = {.count = 0};
    for (uint32_t c = 0; c < questions->system->classes.count; c++) {
        const struct instance *thread = questions_thread(questions, 0, c);
        for (uint32_t i = 0; i < flat->functions[thread->class->function].count; i++) {
            const struct instruction *code = &thread->code[i];
            if (code->op == OP_ICMP && is_order(code->sub) && instruction_reached(thread->class, i) &&
                (code->b & OPERAND_CONSTANT) && !(code->a & OPERAND_CONSTANT) && remembers(thread, code->a, false)) {
                int64_t number = sign_extended(flat->constants[code->b & ~OPERAND_CONSTANT], code->width);
                for (int plus = -1; plus <= 1 && number >= -MOST_COMPARED && number <= MOST_COMPARED; plus++) {
                    add_bound(&bounds, number + plus);
                }
            }
        }
    }
    add_bound(&bounds, 0);
    if (bounds.count > 1) { /* what is bounded above is often an index */
        add_bound(&bounds, -1);
    }
    return bounds;
}

/* --- Facts about one thread --------------------------------------------------------------------------------------- */

static void add_fact(struct inferred *inferred, struct fact fact) {
    vector_push(&inferred->facts, &fact);
}

static void add_relation(struct inferred *inferred, struct fact fact, enum predicate relation) {
    fact.relation = (uint8_t)relation;
    add_fact(inferred, fact);
}

/* At least and at most each of the bounds, as a signed number. */
static void add_bounds(struct inferred *inferred, struct fact fact, const struct bounds *bounds) {
    for (unsigned i = 0; i < bounds->count; i++) {
        fact.number = (uint64_t)bounds->list[i] & bits_mask(8u * fact.size);
        add_relation(inferred, fact, PREDICATE_SLE);
        add_relation(inferred, fact, PREDICATE_SGE);
    }
}

static uint64_t largest_signed(uint32_t size) {
    return bits_mask(8 * size) >> 1;
}

/* The number of a place's values that implications use: few, or the initial one if there are many. */
static unsigned implied(const struct numbers *numbers) {
    return !numbers->all ? 1 : numbers->count > MOST_IMPLIED ? MOST_IMPLIED : numbers->count;
}

/* An implication, with every other place and each of its numbers. */
static void add_consequences(struct inferred *inferred, struct fact fact) {
    for (fact.other = 0; fact.other < inferred->places.count; fact.other++) {
        struct numbers numbers = numbers_of(inferred, vector_at(&inferred->places, fact.other));
        if (fact.other == fact.place || (fact.kind == FACT_IF_EQUAL && fact.other == fact.second)) {
            continue;
        }
        for (unsigned i = 0; i < implied(&numbers); i++) {
            fact.other_number = numbers.list[i];
            add_fact(inferred, fact);
        }
    }
}

/* As sequence locks have it: while the number is even, others are equal. */
static void add_parity(struct inferred *inferred, struct fact fact) {
    fact.kind = FACT_PARITY;
    for (fact.number = 0; fact.number < 2; fact.number++) {
        add_fact(inferred, fact);
    }
    fact.kind = FACT_IF_EVEN;
    for (fact.second = 0; fact.second < inferred->places.count; fact.second++) {
        for (fact.other = fact.second + 1; fact.other < inferred->places.count; fact.other++) {
            if (fact.second != fact.place && fact.other != fact.place) {
                add_fact(inferred, fact);
            }
        }
    }
}

static void add_place_facts(struct inferred *inferred, const struct bounds *bounds, uint32_t class, uint32_t point,
                            uint32_t number) {
    const struct fact_place *place = vector_at(&inferred->places, number);
    struct numbers numbers = numbers_of(inferred, place);
    struct fact fact = {
        .kind = FACT_PLACE, .class = class, .point = point, .place = number, .size = (uint8_t)place->size};
    for (unsigned i = 0; i < numbers.count; i++) {
        fact.number = numbers.list[i];
        add_relation(inferred, fact, PREDICATE_EQ);
        if (!numbers.all || numbers.count > 2) {
            add_relation(inferred, fact, PREDICATE_NE);
        }
    }
    if (!numbers.all) {
        fact.number = largest_signed(place->size);
        add_relation(inferred, fact, PREDICATE_ULE);
        fact.number = numbers.list[0];
        if (fact.number > 0) {
            add_relation(inferred, fact, PREDICATE_SLE);
            add_relation(inferred, fact, PREDICATE_UGE);
        }
        add_bounds(inferred, fact, bounds);
        if (place->size == 4) {
            add_fact(inferred, (struct fact){.kind = FACT_SELF, .class = class, .point = point, .place = number});
        }
    }
    for (uint32_t second = number + 1; second < inferred->places.count && !numbers.all; second++) {
        if (!numbers_of(inferred, vector_at(&inferred->places, second)).all) {
            fact.kind = FACT_IF_EQUAL;
            fact.second = second;
            add_consequences(inferred, fact);
            fact.kind = FACT_PLACES;
            add_relation(inferred, fact, PREDICATE_EQ);
            add_relation(inferred, fact, PREDICATE_ULE);
            add_relation(inferred, fact, PREDICATE_UGE);
        }
    }
    if (!numbers.all) {
        add_parity(inferred, fact);
    }
    fact.kind = FACT_IMPLIES;
    for (unsigned i = 0; i < implied(&numbers); i++) {
        fact.number = numbers.list[i];
        add_consequences(inferred, fact);
    }
}

/* A register against every place: equal, one more, one less; if it was read from memory, also in other relations. */
static void add_register_facts(struct inferred *inferred, const struct instance *thread, uint32_t point, uint32_t reg) {
    struct fact fact = {.class = thread->number, .point = point, .reg = reg};
    bool read = remembers(thread, reg, false);
    for (uint32_t p = 0; p < inferred->places.count; p++) {
        struct numbers numbers = numbers_of(inferred, vector_at(&inferred->places, p));
        fact.kind = FACT_AGAINST;
        fact.place = p;
        for (int plus = -1; plus <= 1; plus++) {
            fact.number = (uint64_t)(int64_t)plus;
            if (plus == 0 || !numbers.all || !read) {
                add_relation(inferred, fact, PREDICATE_EQ);
            }
        }
        if (!numbers.all && read) {
            fact.number = 0;
            add_relation(inferred, fact, PREDICATE_NE);
            add_relation(inferred, fact, PREDICATE_ULE);
            add_relation(inferred, fact, PREDICATE_UGE);
            fact.kind = FACT_IF_VALUE;
            add_consequences(inferred, fact);
        }
    }
    fact.kind = FACT_VALUE;
    fact.size = 8;
    for (uint64_t number = 0; number < 2 && read; number++) {
        fact.number = number;
        add_relation(inferred, fact, PREDICATE_EQ);
        add_relation(inferred, fact, PREDICATE_NE);
    }
    fact.number = largest_signed(4);
    add_relation(inferred, fact, PREDICATE_ULE);
}

/* Does a load of this place set the register? */
static bool is_loaded_from(const struct inferred *inferred, const struct instance *thread, uint32_t reg,
                           uint32_t number) {
    const struct fact_place *place = vector_at(&inferred->places, number);
    for (uint32_t i = 0; i < thread->system->flat.functions[thread->class->function].count; i++) {
        const struct instruction *code = &thread->code[i];
        const struct access *access = &thread->class->accesses[i];
        if (code->op == OP_LOAD && instruction_reached(thread->class, i) && !thread->class->noted[i] &&
            code->dst == reg && value_is_single(&access->address) && access->size == place->size &&
            access->address.parts[0].object == place->where.parts[0].object &&
            access->address.parts[0].low == place->where.parts[0].low) {
            return true;
        }
    }
    return false;
}

/* While a place holds the value that was read there, another one does, too. */
static void add_while(struct inferred *inferred, const struct instance *thread, uint32_t point, uint32_t reg,
                      uint32_t second_reg) {
    struct fact fact = {
        .kind = FACT_WHILE, .class = thread->number, .point = point, .reg = reg, .second_reg = second_reg};
    for (fact.place = 0; fact.place < inferred->places.count; fact.place++) {
        for (fact.second = 0; fact.second < inferred->places.count; fact.second++) {
            if (fact.place != fact.second && is_loaded_from(inferred, thread, reg, fact.place) &&
                is_loaded_from(inferred, thread, second_reg, fact.second)) {
                add_fact(inferred, fact);
            }
        }
    }
}

/* --- Fields ------------------------------------------------------------------------------------------------------- */

/* What an instruction leaves in its register; false if that is not simply known. */
static bool result_value(const struct instance *thread, uint32_t index, struct value *value) {
    struct space *space = &thread->system->space;
    const struct instruction *code = &thread->code[index];
    const struct access *access = &thread->class->accesses[index];
    if (code->op == OP_LOAD || code->op == OP_RMW) {
        *value = space_read(space, &access->address, access->size);
        return true;
    }
    for (uint32_t o = 1; code->op == OP_MALLOC && o < space->objects.count; o++) {
        const struct object *object = object_of(space, o);
        if (object->kind == OBJECT_SITE && object->class == thread->number && object->instruction == index) {
            *value = value_address(o, 0);
            return true;
        }
    }
    return false;
}

/* What a register can hold at a point; false if that is not simply known. */
static bool register_value(const struct instance *thread, uint32_t point, uint32_t reg, struct value *value) {
    const struct class *class = thread->class;
    uint32_t block = class->flow.block_of[point];
    bool known = true;
    *value = class->in[block][reg];
    for (uint32_t i = class->flow.blocks[block].first; i < point; i++) {
        uint32_t count = instruction_writes(&thread->system->flat, &thread->code[i]);
        if (count > 0 && reg - thread->code[i].dst < count) {
            known = result_value(thread, i, value);
        }
    }
    return known;
}

/* Is this part of what threads make there always accessed as one word? */
static bool has_field(const struct object *object, uint64_t offset, uint32_t size) {
    if (object->kind != OBJECT_SITE || object->private || object->smeared || object->stride != 0 || size > 8) {
        return false;
    }
    for (size_t c = 0; c < object->cells.count; c++) {
        const struct cell *cell = vector_at(&object->cells, c);
        if (cell->offset == offset && cell->size == size) {
            return !cell->mixed && !cell->bytes;
        }
    }
    return false;
}

/* The fields of the objects that a pointer may point to become targets: at most MOST_FIELDS of them, from `*first` on.
 */
static uint32_t find_targets(struct inferred *inferred, const struct value *pointer, uint32_t *first) {
    const struct space *space = &inferred->questions->system->space;
    struct value objects = value_none();
    *first = (uint32_t)inferred->targets.count;
    for (unsigned i = 0; i < pointer->count && !pointer->any; i++) {
        const struct part *part = &pointer->parts[i];
        if (part->object != NUMBERS && (part->stride != 0 || part->low != 0)) {
            return 0;
        }
        if (part->object != NUMBERS) {
            value_add_part(&objects, *part);
        }
    }
    if (value_is_none(&objects)) {
        return 0;
    }
    const struct object *object = object_of(space, objects.parts[0].object);
    for (size_t c = 0; c < object->cells.count && inferred->targets.count - *first < MOST_FIELDS; c++) {
        const struct cell *cell = vector_at(&object->cells, c);
        struct value offset = value_number(cell->offset);
        struct fact_target target = {
            .offset = cell->offset, .size = cell->size, .where = value_binary(OP_ADD, 64, &objects, &offset)};
        bool in_all = cell->written && space_known(&target.where);
        for (unsigned i = 0; i < objects.count; i++) {
            in_all = in_all && has_field(object_of(space, objects.parts[i].object), cell->offset, cell->size);
        }
        if (in_all) {
            vector_push(&inferred->targets, &target);
        }
    }
    return (uint32_t)inferred->targets.count - *first;
}

/* A field is 0, 1, or not 0. */
static void add_field_facts(struct inferred *inferred, struct fact fact, const struct value *pointer) {
    uint32_t first;
    uint32_t count = find_targets(inferred, pointer, &first);
    for (fact.target = first; fact.target < first + count; fact.target++) {
        fact.number = 0;
        add_relation(inferred, fact, PREDICATE_NE);
        for (; fact.number < 2; fact.number++) {
            add_relation(inferred, fact, PREDICATE_EQ);
        }
    }
}

static void find_field_facts(struct inferred *inferred, const struct instance *thread, uint32_t point) {
    struct fact fact = {.class = thread->number, .point = point};
    for (fact.place = 0; fact.place < inferred->places.count; fact.place++) {
        fact.kind = FACT_POINTED;
        add_field_facts(inferred, fact, &cell_of(inferred, vector_at(&inferred->places, fact.place))->value);
    }
    for (fact.reg = 0; fact.reg < thread->registers; fact.reg++) {
        struct value value;
        if (system_is_live(thread->system, thread->class, point, fact.reg) &&
            register_value(thread, point, fact.reg, &value)) {
            fact.kind = FACT_FIELD;
            fact.place = 0;
            add_field_facts(inferred, fact, &value);
            fact.kind = FACT_IF_FIELD;
            for (; fact.place < inferred->places.count; fact.place++) {
                if (value_has_object(&cell_of(inferred, vector_at(&inferred->places, fact.place))->value)) {
                    add_field_facts(inferred, fact, &value);
                }
            }
        }
    }
}

/* The size of what a register holds at a point: 4, or 8 if it may be more. */
static uint8_t register_size(const struct instance *thread, uint32_t point, uint32_t reg) {
    uint32_t block = thread->class->flow.block_of[point];
    const struct value *value = &thread->class->in[block][reg];
    unsigned width = 64;
    if (!value->any && !value_has_object(value) && value->count > 0 &&
        value->parts[value->count - 1].high <= UINT32_MAX) {
        width = 32;
    }
    for (uint32_t i = thread->class->flow.blocks[block].first; i < point; i++) {
        const struct instruction *code = &thread->code[i];
        uint32_t count = instruction_writes(&thread->system->flat, code);
        if (count > 0 && reg - code->dst < count) {
            bool accesses = code->op == OP_LOAD || code->op == OP_RMW || code->op == OP_CAS;
            width = accesses              ? 8u * code->width
                    : code->op == OP_SEXT ? code->sub
                    : code->op == OP_ICMP ? 1
                                          : code->width;
        }
    }
    return width <= 32 ? 4 : 8;
}

/* What may be an index, against the bounds. */
static void add_register_bounds(struct inferred *inferred, const struct bounds *bounds, const struct instance *thread,
                                uint32_t point, uint32_t reg) {
    struct fact fact = {.kind = FACT_VALUE, .class = thread->number, .point = point, .reg = reg};
    struct value value;
    if (!register_value(thread, point, reg, &value) || !value_has_object(&value)) {
        fact.size = register_size(thread, point, reg);
        add_bounds(inferred, fact, bounds);
    }
}

/* --- Elements of arrays ------------------------------------------------------------------------------------------- */

/* Elements are not what they are at first, or one of the other values that they can have. */
static void add_element_facts(struct inferred *inferred, struct fact fact) {
    struct system *system = inferred->questions->system;
    for (fact.array = 0; fact.array < inferred->arrays.count; fact.array++) {
        const struct array *array = vector_at(&inferred->arrays, fact.array);
        struct value value = space_read(&system->space, &array->where, array->size);
        uint64_t initial[2] = {0, 0};
        machine_peek(system->machine, array->address, array->size, initial);
        fact.other_number = initial[0];
        add_relation(inferred, fact, PREDICATE_NE);
        for (unsigned i = 0; i < value.count && !value.any && value.count <= MOST_NUMBERS; i++) {
            const struct part *part = &value.parts[i];
            if (part->stride == 0 && part->object == NUMBERS && part->low != initial[0]) {
                fact.other_number = part->low;
                add_relation(inferred, fact, PREDICATE_EQ);
            }
        }
    }
}

static void find_facts(struct inferred *inferred, const struct bounds *bounds, struct instance *thread) {
    for (uint32_t i = 0; i < thread->system->flat.functions[thread->class->function].count; i++) {
        if (!facts_is_point(thread, i) || !instance_reaches(thread, i)) {
            continue;
        }
        for (uint32_t p = 0; p < inferred->places.count; p++) {
            add_place_facts(inferred, bounds, thread->number, i, p);
            add_element_facts(inferred,
                              (struct fact){.kind = FACT_BELOW_PLACE, .class = thread->number, .point = i, .place = p});
        }
        find_field_facts(inferred, thread, i);
        unsigned registers = 0;
        for (uint32_t r = 0; r < thread->registers && registers < MOST_REGISTERS; r++) {
            if (system_is_live(thread->system, thread->class, i, r)) {
                add_register_facts(inferred, thread, i, r);
                add_register_bounds(inferred, bounds, thread, i, r);
                for (uint64_t plus = 0; plus < 2; plus++) {
                    add_element_facts(
                        inferred,
                        (struct fact){
                            .kind = FACT_BELOW_VALUE, .class = thread->number, .point = i, .reg = r, .number = plus});
                }
                for (uint32_t s = 0; s < thread->registers; s++) {
                    if (s != r && system_is_live(thread->system, thread->class, i, s)) {
                        add_while(inferred, thread, i, r, s);
                    }
                }
                registers++;
            }
        }
    }
}

/* --- Facts about two threads -------------------------------------------------------------------------------------- */

/* Does the register name an object that the thread has made? */
static bool is_own_object(const struct instance *thread, uint32_t point, uint32_t reg) {
    struct value value;
    if (!system_is_live(thread->system, thread->class, point, reg) || remembers(thread, reg, true) ||
        !register_value(thread, point, reg, &value) || !value_is_single(&value) || value.parts[0].object == NUMBERS) {
        return false;
    }
    const struct object *object = object_of(&thread->system->space, value.parts[0].object);
    return object->kind == OBJECT_SITE && object->class == thread->number && !object->private;
}

/* What a read-modify-write of one thread returned is no object that the other one has made. */
static void add_foreign(struct inferred *inferred, const struct instance *one, uint32_t point,
                        const struct instance *other, uint32_t other_point) {
    struct fact_pair pair = {.differ = true, .class = {one->number, other->number}, .point = {point, other_point}};
    for (uint32_t r = 0; r < one->registers; r++) {
        for (uint32_t s = 0; s < other->registers; s++) {
            struct value value;
            if (remembers(one, r, true) && system_is_live(one->system, one->class, point, r) &&
                register_value(one, point, r, &value) && value_has_object(&value) &&
                is_own_object(other, other_point, s)) {
                pair.reg[0] = r;
                pair.reg[1] = s;
                vector_push(&inferred->pairs, &pair);
            }
        }
    }
}

static void add_pair(struct inferred *inferred, const struct instance *one, uint32_t point,
                     const struct instance *other, uint32_t other_point) {
    struct fact_pair pair = {.class = {one->number, other->number}, .point = {point, other_point}};
    vector_push(&inferred->pairs, &pair);
    pair.differ = true;
    for (uint32_t r = 0; r < one->registers; r++) {
        for (uint32_t s = 0; s < other->registers; s++) {
            pair.reg[0] = r;
            pair.reg[1] = s;
            if ((one->number != other->number || r == s) && remembers(one, r, true) && remembers(other, s, true) &&
                system_is_live(one->system, one->class, point, r) &&
                system_is_live(other->system, other->class, other_point, s)) {
                static const uint8_t plus[][2] = {{0, 0}, {0, 1}, {1, 0}};
                for (int i = 0; i < 3; i++) {
                    pair.plus[0] = plus[i][0];
                    pair.plus[1] = plus[i][1];
                    vector_push(&inferred->pairs, &pair);
                }
            }
        }
    }
}

static void find_pairs(struct inferred *inferred, struct instance *one, struct instance *other) {
    const struct program *flat = &one->system->flat;
    for (uint32_t i = 0; i < flat->functions[one->class->function].count; i++) {
        if (!facts_is_point(one, i) || !instance_reaches(one, i)) {
            continue;
        }
        for (uint32_t k = one->number == other->number ? i : 0; k < flat->functions[other->class->function].count;
             k++) {
            if (facts_is_point(other, k) && instance_reaches(other, k)) {
                add_pair(inferred, one, i, other, k);
                add_foreign(inferred, one, i, other, k);
                if (one->number != other->number || i != k) {
                    add_foreign(inferred, other, k, one, i);
                }
            }
        }
    }
}

void candidates_find(struct inferred *inferred) {
    struct questions *questions = inferred->questions;
    find_arrays(inferred);
    find_places(inferred);
    struct bounds bounds = bounds_of(inferred);
    for (uint32_t c = 0; c < questions->system->classes.count; c++) {
        struct instance *thread = questions_thread(questions, 0, c);
        find_facts(inferred, &bounds, thread);
        for (uint32_t d = c; d < questions->system->classes.count; d++) {
            if (classes_meet(questions->system, c, d)) {
                find_pairs(inferred, thread, questions_thread(questions, 1, d));
            }
        }
    }
}
