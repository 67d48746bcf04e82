/* The functions of Z3's C API that are used, found in the library when it is loaded. */
#ifndef PICKET_PROVE_Z3_LIBRARY_H
#define PICKET_PROVE_Z3_LIBRARY_H

#include <z3.h>

#define Z3_FUNCTIONS(X)                                                                                                \
    X(mk_config)                                                                                                       \
    X(del_config)                                                                                                      \
    X(mk_context)                                                                                                      \
    X(del_context)                                                                                                     \
    X(set_error_handler)                                                                                               \
    X(interrupt)                                                                                                       \
    X(mk_int_sort)                                                                                                     \
    X(mk_bool_sort)                                                                                                    \
    X(mk_string_symbol)                                                                                                \
    X(mk_const)                                                                                                        \
    X(mk_unsigned_int64)                                                                                               \
    X(mk_numeral)                                                                                                      \
    X(mk_true)                                                                                                         \
    X(mk_false)                                                                                                        \
    X(mk_eq)                                                                                                           \
    X(mk_not)                                                                                                          \
    X(mk_ite)                                                                                                          \
    X(mk_iff)                                                                                                          \
    X(mk_and)                                                                                                          \
    X(mk_or)                                                                                                           \
    X(mk_add)                                                                                                          \
    X(mk_sub)                                                                                                          \
    X(mk_mul)                                                                                                          \
    X(mk_div)                                                                                                          \
    X(mk_mod)                                                                                                          \
    X(mk_le)                                                                                                           \
    X(mk_lt)                                                                                                           \
    X(get_ast_id)                                                                                                      \
    X(get_ast_kind)                                                                                                    \
    X(to_app)                                                                                                          \
    X(get_app_decl)                                                                                                    \
    X(get_decl_kind)                                                                                                   \
    X(get_app_num_args)                                                                                                \
    X(get_app_arg)                                                                                                     \
    X(mk_simple_solver)                                                                                                \
    X(solver_inc_ref)                                                                                                  \
    X(solver_dec_ref)                                                                                                  \
    X(solver_push)                                                                                                     \
    X(solver_pop)                                                                                                      \
    X(solver_assert)                                                                                                   \
    X(solver_check)                                                                                                    \
    X(solver_get_model)                                                                                                \
    X(solver_set_params)                                                                                               \
    X(solver_to_string)                                                                                                \
    X(mk_params)                                                                                                       \
    X(params_inc_ref)                                                                                                  \
    X(params_dec_ref)                                                                                                  \
    X(params_set_bool)                                                                                                 \
    X(params_set_uint)                                                                                                 \
    X(model_inc_ref)                                                                                                   \
    X(model_dec_ref)                                                                                                   \
    X(model_eval)                                                                                                      \
    X(get_numeral_uint64)                                                                                              \
    X(get_numeral_string)

struct z3 {
    void *library;
    Z3_model model; /* of the last question, NULL: none */
#define X(name) __typeof__(&Z3_##name) name;
    Z3_FUNCTIONS(X)
#undef X
};

/* NULL if there is no such library, or it lacks a function. */
struct z3 *z3_load(void);
void z3_unload(struct z3 *z3);

#endif
