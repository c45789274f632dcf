# resumed NAME: sets `runs`, the folder of a recipe that goes on where it was interrupted;
# `whole` says that it is, so that the next time it starts afresh.
resumed() {
  runs=runs/recipes/$1
  [ -e "$runs/unfinished" ] || rm -rf "$runs"
  mkdir -p "$runs"
  touch "$runs/unfinished"
}
whole() {
  rm "$runs/unfinished"
}
# fresh NAME [DIR]: sets `runs`, the empty folder that a recipe's runs go to. A finished
# run is only shown again, whatever has changed in the code since, so the recipe's own
# folder is emptied; a folder named by hand is never removed, it has to be empty.
fresh() {
  runs=${2:-runs/recipes/$1}
  if [ $# -lt 2 ]; then
    rm -rf "$runs"
  elif [ -n "$(ls -A "$runs" 2>/dev/null)" ]; then
    echo "$runs is not empty (rule: a recipe's runs start afresh); try: an empty folder" >&2
    return 1
  fi
  mkdir -p "$runs"
}
