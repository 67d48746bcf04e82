// run => native
// Dynamic programming: longest common subsequence, knapsack, edit distance.
#include <stdio.h>
#include <string.h>

static int minimum(int a, int b) {
    return a < b ? a : b;
}
static int maximum(int a, int b) {
    return a > b ? a : b;
}

static int common(const char *a, const char *b, char *out) {
    int n = (int)strlen(a), m = (int)strlen(b);
    int table[n + 1][m + 1];
    memset(table, 0, sizeof table);
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : maximum(table[i - 1][j], table[i][j - 1]);
    int length = table[n][m], at = length;
    out[at] = 0;
    for (int i = n, j = m; i && j;) {
        if (a[i - 1] == b[j - 1]) {
            out[--at] = a[i - 1];
            i--;
            j--;
        } else if (table[i - 1][j] >= table[i][j - 1])
            i--;
        else
            j--;
    }
    return length;
}

static int distance(const char *a, const char *b) {
    int m = (int)strlen(b);
    int row[m + 1];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int above = row[j];
            row[j] = minimum(minimum(row[j - 1], above) + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[m];
}

int main(void) {
    char out[32];
    printf("%d ", common("AGGTABQWXZ", "GXTXAYBWZ", out));
    printf("%s\n", out);
    printf("%d %d\n", distance("kitten", "sitting"), distance("", "abc"));
    static const int weight[] = {1, 3, 4, 5}, value[] = {1, 4, 5, 7};
    int best[8] = {0};
    for (int i = 0; i < 4; i++)
        for (int c = 7; c >= weight[i]; c--)
            best[c] = maximum(best[c], best[c - weight[i]] + value[i]);
    printf("%d\n", best[7]);
    return 0;
}
