# What ./picket and ./test share; sourced by both, with $root set to the project's directory.
#
# Nothing here depends on the caller's environment: builds see only the variables named in `clean`.
# shellcheck shell=sh

PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH

fail() {
    echo "picket: $*" >&2
    exit 2
}

clean() {
    env -i PATH="$PATH" HOME="${HOME:-/}" LC_ALL=C.UTF-8 "$@"
}

# Installs the Debian packages that are missing.  The stamp is a copy of the list that was last found complete.
install_packages() {
    cmp -s "$root/tools/packages.txt" "$root/build/packages.stamp" && return
    missing=
    while read -r package; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
        *' installed') ;;
        *) missing="$missing $package" ;;
        esac
    done <"$root/tools/packages.txt"
    if [ -n "$missing" ]; then
        if [ "$(id -u)" = 0 ]; then
            as_root=
        elif command -v sudo >/dev/null; then
            as_root=sudo
        else
            fail "these Debian packages are missing, and only root can install them:$missing"
        fi
        # shellcheck disable=SC2086 # the list is to be split into words
        {
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get update &&
                $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
        } </dev/null >&2 || fail "could not install:$missing"
    fi
    cp "$root/tools/packages.txt" "$root/build/packages.stamp"
}

# build NAME COMPILER MESON-OPTIONS...: configures build/NAME if that has not been done here, and builds it.
build() {
    directory=$root/build/$1
    compiler=$2
    shift 2
    if [ "$(cat "$directory/configured" 2>/dev/null)" != "$root $compiler $*" ]; then
        rm -rf "$directory"
        clean CC="$compiler" meson setup "$@" "$directory" "$root" >&2 || return 1
        echo "$root $compiler $*" >"$directory/configured"
    fi
    clean ninja -C "$directory" >&2
}
