# Runs `acacia bench NAME` with the folder and the page of this checkout, unless others are given. To be sourced.
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)

bench() {
  local defaults=()
  case " $* " in
    *" --dir"*) ;;
    *) defaults+=("--dir=$home/bench/target") ;; # not /tmp, which may be memory
  esac
  case " $* " in
    *" --page"*) ;;
    *) defaults+=("--page=$home/docs/benchmarks.md") ;;
  esac
  exec "$home/bin/acacia" bench "$1" ${defaults[@]+"${defaults[@]}"} "${@:2}"
}
