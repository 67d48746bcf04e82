// run => native
// Conway's Game of Life on a torus.
#include <stdio.h>
#include <string.h>

#define W 16
#define H 10

static char grid[H][W + 1], next[H][W + 1];

int main(void) {
    for (int y = 0; y < H; y++)
        memset(grid[y], '.', W);
    static const char *glider[] = {".#.", "..#", "###"};
    for (int y = 0; y < 3; y++)
        memcpy(&grid[y + 1][1], glider[y], 3);
    memcpy(&grid[7][8], "###", 3);
    for (int generation = 0; generation < 12; generation++) {
        memcpy(next, grid, sizeof grid);
        for (int y = 0; y < H; y++) {
            for (int x = 0; x < W; x++) {
                int n = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if (dy || dx)
                            n += grid[(y + dy + H) % H][(x + dx + W) % W] == '#';
                next[y][x] = n == 3 || (n == 2 && grid[y][x] == '#') ? '#' : '.';
            }
        }
        memcpy(grid, next, sizeof grid);
    }
    for (int y = 0; y < H; y++)
        puts(grid[y]);
    return 0;
}
