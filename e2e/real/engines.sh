#!/bin/bash
# Brings real engines with a tiny model up on this machine's CPU, and stops, wakes, kills and restarts their processes: the hands of the scenario
# files beside it. See README.md for what SGLANG_HOME and VLLM_HOME must hold.
#   engines.sh up   prefill|decode|router|minilb|keyed|vllm [flags...]   waits until it serves; does nothing when it serves already
#   engines.sh down PART...                                              asks, then forces
#   engines.sh sig  SIGNAL PART PROCESS      PROCESS: main, scheduler, detokenizer (SGLang), engine, worker (vLLM)
#   engines.sh kill PART                     the whole process tree at once, with SIGKILL
#   engines.sh pids PART
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
STATE=${ENGINES_STATE:-$HERE/../../.wedgewatch/engines}
mkdir -p "$STATE"; STATE=$(cd "$STATE" && pwd)
PREFILL_PORT=${PREFILL_PORT:-30000} DECODE_PORT=${DECODE_PORT:-30002} BOOTSTRAP_PORT=${BOOTSTRAP_PORT:-8998}
ROUTER_PORT=${ROUTER_PORT:-30001} ROUTER_METRICS_PORT=${ROUTER_METRICS_PORT:-29000} MINILB_PORT=${MINILB_PORT:-8000}
KEYED_PORT=${KEYED_PORT:-30003} KEYED_METRICS_PORT=${KEYED_METRICS_PORT:-29003} VLLM_PORT=${VLLM_PORT:-8100}
START_LIMIT_S=${START_LIMIT_S:-240}
PREFILL=http://127.0.0.1:$PREFILL_PORT DECODE=http://127.0.0.1:$DECODE_PORT

fail() { echo "$*" >&2; exit 1; }
pid_of() { cat "$STATE/$1.pid" 2>/dev/null || echo 0; }
alive() { [ "$1" != 0 ] && kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; }

launch() { # PART, then the command: its own session, so that it outlives whoever ran this
  local part=$1; shift
  setsid "$@" > "$STATE/$part.log" 2>&1 < /dev/null & echo $! > "$STATE/$part.pid"
}

serves() { curl -sf -o /dev/null -m 4 "$1"; }
await() { # PART URL
  for _ in $(seq 1 $((START_LIMIT_S * 2))); do
    serves "$2" && return 0
    alive "$(pid_of "$1")" || break
    sleep 0.5
  done
  tail -n 15 "$STATE/$1.log" >&2; fail "$1 did not come up; its log is $STATE/$1.log"
}

sglang() {
  : "${SGLANG_HOME:?set SGLANG_HOME to the folder with SGLang, see README.md}"
  export OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false HF_HUB_OFFLINE=1 CUDA_VISIBLE_DEVICES= SGLANG_USE_CPU_ENGINE=1
  export LD_LIBRARY_PATH="$SGLANG_HOME/lib/usr/lib/x86_64-linux-gnu:$SGLANG_HOME/lib/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  launch "$1" "$SGLANG_HOME/venv/bin/python" "${@:2}"
}
engine() { # PART PORT flags...
  sglang "$1" -m sglang.launch_server --model-path "$SGLANG_HOME/tiny" --host 127.0.0.1 --port "$2" --served-model-name tiny --enable-metrics \
    --device cpu --attention-backend torch_native --sampling-backend pytorch --disable-overlap-schedule --mem-fraction-static 0.3 \
    --max-total-tokens 4096 --context-length 1024 --cuda-graph-backend-decode disabled --cuda-graph-backend-prefill disabled \
    --disaggregation-transfer-backend mooncake_tcp "${@:3}"
}
front() { # PART PORT flags...
  sglang "$1" -m sglang_router.launch_router --pd-disaggregation --prefill "$PREFILL" "$BOOTSTRAP_PORT" --decode "$DECODE" --host 127.0.0.1 --port "$2" "${@:3}"
}
vllm() {
  : "${VLLM_HOME:?set VLLM_HOME to the folder with vLLM, see README.md}"
  export VLLM_TARGET_DEVICE=cpu VLLM_CPU_KVCACHE_SPACE=1 HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1 VLLM_NO_USAGE_STATS=1 DO_NOT_TRACK=1
  launch vllm "$VLLM_HOME/venv/bin/vllm" serve "$VLLM_HOME/models/tiny" --host 127.0.0.1 --port "$VLLM_PORT" --max-model-len 2048 --dtype float32 \
    --enforce-eager --served-model-name tiny "$@"
}

up() { # PART flags...
  local part=$1 url; shift
  case $part in
    prefill) url=$PREFILL/v1/models ;;
    decode) url=$DECODE/v1/models ;;
    router) url=http://127.0.0.1:$ROUTER_PORT/readiness ;;
    keyed) url=http://127.0.0.1:$KEYED_PORT/readiness ;;
    minilb) url=http://127.0.0.1:$MINILB_PORT/health ;;
    vllm) url=http://127.0.0.1:$VLLM_PORT/health ;;
    *) fail "no part is called $part" ;;
  esac
  if alive "$(pid_of "$part")" && serves "$url"; then return 0; fi
  alive "$(pid_of "$part")" && tree_kill "$part"
  case $part in
    prefill) engine prefill "$PREFILL_PORT" --disaggregation-mode prefill --disaggregation-bootstrap-port "$BOOTSTRAP_PORT" "$@" ;;
    # The default backup pins memory through CUDA and dies on a CPU.
    decode) engine decode "$DECODE_PORT" --disaggregation-mode decode --disaggregation-decode-retraction-backup cpu_tensor "$@" ;;
    router) front router "$ROUTER_PORT" --prometheus-host 127.0.0.1 --prometheus-port "$ROUTER_METRICS_PORT" "$@" ;;
    keyed) front keyed "$KEYED_PORT" --prometheus-host 127.0.0.1 --prometheus-port "$KEYED_METRICS_PORT" --api-key "${KEYED_KEY:-only-for-this-test}" "$@" ;;
    minilb) front minilb "$MINILB_PORT" --mini-lb "$@" ;;
    vllm) vllm "$@" ;;
  esac
  await "$part" "$url"
}

tree() { # PID: itself and all below
  echo "$1"
  local child; for child in $(pgrep -P "$1" || true); do tree "$child"; done
}
tree_kill() { # PART
  local pid; pid=$(pid_of "$1"); alive "$pid" || return 0
  # shellcheck disable=SC2046
  kill -KILL $(tree "$pid") 2>/dev/null || true
}
process() { # PART PROCESS -> pid
  local main title below; main=$(pid_of "$1"); alive "$main" || fail "$1 is not running"
  case $2 in
    main) echo "$main"; return ;;
    scheduler) title=sglang::scheduler ;;
    detokenizer) title=sglang::detokenizer ;;
    engine) title=VLLM::EngineCore ;;
    worker) title=VLLM::Worker ;;
    *) fail "no process is called $2" ;;
  esac
  for below in $(tree "$main"); do tr '\0' ' ' < "/proc/$below/cmdline" | grep -q "^$title" && { echo "$below"; return; }; done
  fail "$1 has no process $title"
}
down() { # PART
  local pid; pid=$(pid_of "$1"); alive "$pid" || return 0
  kill -CONT $(tree "$pid") 2>/dev/null || true
  kill -TERM "$pid" 2>/dev/null || true
  for _ in $(seq 1 16); do alive "$pid" || return 0; sleep 0.5; done
  tree_kill "$1"
}

case ${1:-} in
  up) shift; up "$@" ;;
  down) shift; for part in "$@"; do down "$part"; done ;;
  sig) kill "-$2" "$(process "$3" "$4")" ;;
  kill) tree_kill "$2" ;;
  pids) tree "$(pid_of "$2")" ;;
  *) sed -n 2,9p "$0"; exit 2 ;;
esac
