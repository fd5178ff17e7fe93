# Runs command lines in a terminal of a given size, with script(1) of util-linux. Source it after cli.sh. The file out
# has the output of both streams; $status is the exit status.
has_terminal() { script -qec true /dev/null </dev/null >/dev/null 2>&1; }

# in_terminal COLUMNS LINES COMMAND (for the shell)
in_terminal() {
    timeout --foreground 120 script -qec "stty cols $1 rows $2; $3" /dev/null </dev/null 2>err >raw
    status=$?
    tr -d '\r' <raw >out
}

# A terminal in tmux, whose screen is read into the file out while a command runs.
has_screen() { command -v tmux >/dev/null; }
in_tmux() { tmux -S "$work/tmux" -f /dev/null "$@" 2>err; }

# screen_open COLUMNS LINES COMMAND (for the shell)
screen_open() {
    in_tmux new-session -d -x "$1" -y "$2" "$3; printf 'status %d\n' \$?; sleep 60"
    in_tmux set -g status off # no status line
    in_tmux resize-window -x "$1" -y "$2"
}
screen_close() { in_tmux kill-server; }
screen_type() { in_tmux send-keys -- "$@"; } # names of keys: Right, Enter, q
screen_size() { in_tmux resize-window -x "$1" -y "$2"; }

# Waits at most ten seconds until the screen shows a text.
screen_shows() {
    tries=0
    until in_tmux capture-pane -p >out && grep -qFe "$1" out; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || return 1
        sleep 0.1
    done
}

# screen_spans LEAST MOST TEXT: within ten seconds the screen shows the text and its longest line has LEAST to MOST
# columns.
screen_spans() {
    tries=0
    until screen_shows "$3" && columns=$(LC_ALL=C.UTF-8 wc -L <out) && [ "$columns" -ge "$1" ] && [ "$columns" -le "$2" ]; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || return 1
        sleep 0.1
    done
}

# screen_mouse BUTTON COLUMN LINE (from 1): presses a mouse button, reported as by xterm (SGR, 1006). The wheel is 64
# and 65.
screen_mouse() {
    # shellcheck disable=SC2046
    in_tmux send-keys -H $(printf '\033[<%d;%d;%dM\033[<%d;%d;%dm' "$1" "$2" "$3" "$1" "$2" "$3" | od -An -v -tx1)
}

# screen_find TEXT: $column and $line (from 1) of its first letter on the captured screen.
screen_find() {
    line=$(grep -nFe "$1" out | head -n 1 | cut -d : -f 1)
    before=$(sed -n "${line:-1}p" out | sed "s/$1.*//")
    column=$(($(printf '%s' "$before" | LC_ALL=C.UTF-8 wc -m) + 1))
}
