#include "robust/panel.h"

#include <stdlib.h>
#include <string.h>

struct asking {
    const struct panel *panel;
    struct task task; /* as all receive it */
    struct answer *answer;
};

struct asked {
    const struct asking *asking;
    const struct answerer *answerer;
};

static void run_in_child(void *data, struct child *child) {
    const struct asked *asked = data;
    struct task task = asked->asking->task;
    struct answer answer;
    struct vector bytes;
    task.limits = &child->limits;
    task.progress = &child->progress;
    answer_init(&answer);
    asked->answerer->run(&task, asked->asking->panel->several, &answer);
    bytes_init(&bytes);
    bytes_put_text(&bytes, answer.engine);
    answer_put(&bytes, &answer);
    child_send(child, &bytes);
    vector_delete(&bytes);
    answer_delete(&answer);
}

/* The name that engines and reports use, which outlives the message. */
static const char *constant_name(const struct panel *panel, const char *name) {
    for (size_t i = 0; name && i < panel->count; i++) {
        if (strcmp(name, panel->answerers[i].name) == 0) {
            return panel->answerers[i].name;
        }
    }
    return panel->answerers[0].name;
}

static enum answer_class judge(void *data, size_t member, const void *bytes, size_t size, const char **defect) {
    struct asking *asking = data;
    struct bytes_reader reader = {.next = bytes, .left = size};
    struct answer answer;
    (void)member;
    answer_init(&answer);
    char *engine = bytes_get_text(&reader);
    answer.engine = constant_name(asking->panel, engine);
    free(engine);
    enum answer_class class = ANSWER_NOTHING;
    if (!answer_get(&reader, &answer)) {
        *defect = "sent an answer that makes no sense";
    } else {
        class = asking->panel->classify(asking->task.program, &answer, defect);
    }
    bool first = !asking->answer->verdict.reason[0] && class != ANSWER_BOUNDED;
    if (!*defect && (class == ANSWER_CONCLUSIVE || answer.verdict.word == VERDICT_UNDECIDED || first)) {
        struct answer kept = *asking->answer;
        *asking->answer = answer;
        answer = kept;
    }
    answer_delete(&answer);
    return class;
}

enum portfolio_end panel_ask(const struct panel *panel, struct answer *answer) {
    const struct task *task = panel->task;
    struct asking asking = {panel, *task, answer};
    struct asked asked[MOST_MEMBERS];
    struct member members[MOST_MEMBERS];
    struct portfolio portfolio = {
        .members = members,
        .count = panel->count,
        .jobs = task->jobs > 0 ? task->jobs : portfolio_default_jobs(),
        .limits = task->limits,
        .progress = task->progress,
        .judge = judge,
        .data = &asking,
    };
    asking.task.jobs = portfolio.jobs >= 4 ? portfolio.jobs / 2 : 1;
    for (size_t i = 0; i < panel->count; i++) {
        const struct answerer *answerer = &panel->answerers[i];
        asked[i] = (struct asked){&asking, answerer};
        members[i] = (struct member){.name = answerer->name,
                                     .after = answerer->after,
                                     .threads = answerer->shares ? asking.task.jobs : 1,
                                     .run = run_in_child,
                                     .data = &asked[i]};
    }
    enum portfolio_end end = portfolio_run(&portfolio);
    if (end == PORTFOLIO_EXHAUSTED) {
        portfolio_explain(&portfolio, &answer->verdict);
    }
    portfolio_delete(&portfolio);
    return end;
}
