# Terminals for the tests of whole command lines, beside cli.sh: of a width and a height, as script(1) of util-linux makes
# them. What a command writes there, to both streams, is in the file out; its exit status in $status.
has_terminal() { script -qec true /dev/null </dev/null >/dev/null 2>&1; }

# in_terminal COLUMNS LINES COMMAND (for the shell)
in_terminal() {
    timeout --foreground 120 script -qec "stty cols $1 rows $2; $3" /dev/null </dev/null 2>err >raw
    status=$?
    tr -d '\r' <raw >out
}

# A terminal that is looked at while a command runs in it, by tmux: what its screen shows is in the file out.
has_screen() { command -v tmux >/dev/null; }
in_tmux() { tmux -S "$work/tmux" -f /dev/null "$@" 2>err; }

# screen_open COLUMNS LINES COMMAND (for the shell)
screen_open() {
    in_tmux new-session -d -x "$1" -y "$2" "$3; printf 'status %d\n' \$?; sleep 60"
    in_tmux set -g status off # its own line
    in_tmux resize-window -x "$1" -y "$2"
}
screen_close() { in_tmux kill-server; }
screen_type() { in_tmux send-keys -- "$@"; } # keys by their names: Right, Enter, q
screen_size() { in_tmux resize-window -x "$1" -y "$2"; }

# Waits until the screen shows a text, at most ten seconds.
screen_shows() {
    tries=0
    until in_tmux capture-pane -p >out && grep -qFe "$1" out; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || return 1
        sleep 0.1
    done
}

# screen_spans LEAST MOST TEXT: within ten seconds it shows the text, and its longest line has so many columns.
screen_spans() {
    tries=0
    until screen_shows "$3" && columns=$(LC_ALL=C.UTF-8 wc -L <out) && [ "$columns" -ge "$1" ] && [ "$columns" -le "$2" ]; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || return 1
        sleep 0.1
    done
}

# screen_mouse BUTTON COLUMN LINE, from 1: as xterm tells that it went down (SGR, 1006); the wheel is 64 and 65.
screen_mouse() {
    # shellcheck disable=SC2046
    in_tmux send-keys -H $(printf '\033[<%d;%d;%dM\033[<%d;%d;%dm' "$1" "$2" "$3" "$1" "$2" "$3" | od -An -v -tx1)
}

# screen_find TEXT: $column and $line of its first letter on the screen as it was captured, from 1.
screen_find() {
    line=$(grep -nFe "$1" out | head -n 1 | cut -d : -f 1)
    before=$(sed -n "${line:-1}p" out | sed "s/$1.*//")
    column=$(($(printf '%s' "$before" | LC_ALL=C.UTF-8 wc -m) + 1))
}
