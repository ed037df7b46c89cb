# What zsh offers for a command line: zsh -f zsh_offers.zsh FOLDER 'dse par'
#
# An interactive zsh in a pseudo-terminal, which has FOLDER/_dse among its completions, gets the line and a tab. Every
# match goes through the builtin compadd; a function of its name writes the matches down first.
zmodload zsh/zpty
folder=$1 line=$2 found=$1/found
cat >$folder/start.zsh <<'ZSH'
unsetopt zle_bracketed_paste 2>/dev/null
unset zle_bracketed_paste
PS1= fpath=($folder $fpath)
autoload -Uz compinit
compinit -u -D
setopt no_beep
compadd() {
    local -a matches
    [[ " $* " == *" -"[OAD]" "* ]] || { builtin compadd -A matches "$@"; print -rl -- $matches >>$found; }
    builtin compadd "$@"
}
finish() { print done >$found.done; }
zle -N finish
bindkey '^X' finish
bindkey '^I' complete-word
print ready >$found.ready
ZSH
rm -f $found $found.done $found.ready
zpty -b shell zsh -f -i
zpty -w shell "folder=${(q)folder} found=${(q)found}; source ${(q)folder}/start.zsh"
wait_for() {
    local output
    repeat 300; do
        [[ -e $1 ]] && return
        while zpty -r -t shell output; do messages+=$output; done
        sleep 0.1
    done
    print -ru2 -- "zsh wrote no $1: $messages"
    exit 1
}
messages=
wait_for $found.ready
while zpty -r -t shell output; do :; done
messages=
zpty -w -n shell "$line"$'\t\x18'
wait_for $found.done
while zpty -r -t shell output; do messages+=$output; done
zpty -d shell
[[ $messages == *_arguments:* || $messages == *"not found"* ]] && { print -ru2 -- $messages; exit 1; }
[[ -e $found ]] && sort -u $found
exit 0
