import type { Engine } from './engine';

const VERSION = '0.5.23';

/** Payloads of an engine's information endpoints, with the keys of sglang 0.5.23 that anybody reads. */
export function modelsOf(engine: Engine) {
  const model = engine.spec.model;
  return {
    object: 'list',
    data: [{ id: model, object: 'model', created: Math.floor(engine.clock.epoch()), owned_by: 'sglang', root: model, parent: null, max_model_len: 131072 }],
  };
}

export function modelInfoOf(engine: Engine) {
  return {
    model_path: modelPath(engine),
    served_model_name: engine.spec.model,
    tokenizer_path: modelPath(engine),
    is_generation: true,
    preferred_sampling_params: null,
    weight_version: 'default',
    load_format: 'auto',
    reasoning_parser: null,
    tool_call_parser: null,
    disaggregation_mode: mode(engine),
    has_image_understanding: false,
    has_audio_understanding: false,
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
  };
}

/** Contains keys in clear, twice, as the real one does: whoever reads it must redact. */
export function serverInfoOf(engine: Engine) {
  const { spec } = engine;
  const port = engine.listener?.port ?? 0;
  const args = {
    model_path: modelPath(engine),
    tokenizer_path: modelPath(engine),
    served_model_name: spec.model,
    host: '127.0.0.1',
    port,
    tp_size: 1,
    dp_size: engine.ranks.length,
    max_running_requests: engine.tuning.maxRunning,
    max_total_num_tokens: engine.tuning.kvTokens,
    disaggregation_mode: mode(engine),
    disaggregation_bootstrap_port: spec.bootstrapPort ?? 8998,
    disaggregation_transfer_backend: 'mooncake',
    load_balance_method: spec.role === 'prefill' ? 'follow_bootstrap_room' : 'round_robin',
    enable_metrics: true,
    watchdog_timeout: 300,
    api_key: 'sk-simulated-engine-key',
    admin_api_key: 'sk-simulated-admin-key',
    launch_command: `python -m sglang.launch_server --port ${port} --api-key sk-simulated-engine-key --admin-api-key sk-simulated-admin-key`,
    node_rank: 0,
    nnodes: 1,
    version: VERSION,
  };
  const states = engine.ranks.map((rank) => ({
    last_gen_throughput: rank.seen.throughput,
    memory_usage: { weight: 0.004, kvcache: 0.004, token_capacity: engine.tuning.kvTokens },
    effective_max_running_requests_per_dp: engine.tuning.maxRunning,
  }));
  return { ...args, status: 'ready', internal_states: states };
}

export function loadsOf(engine: Engine) {
  const isSnapshot = engine.spec.loads === 'snapshot';
  const drift = engine.clock.epoch() - engine.clock.now();
  const entries = engine.ranks.map((rank) => {
    const seen = rank.seen;
    return {
      ...(isSnapshot ? { timestamp: drift + rank.turnedAt } : {}),
      dp_rank: rank.number,
      num_running_reqs: engine.spec.role === 'prefill' ? 0 : seen.running,
      num_waiting_reqs: seen.waiting + seen.bootstrap + seen.prealloc + seen.transfer,
      num_used_tokens: seen.usedTokens,
      num_total_tokens: seen.usedTokens,
      max_total_num_tokens: engine.tuning.kvTokens,
      max_running_requests: engine.tuning.maxRunning,
      token_usage: Math.round((seen.usedTokens / engine.tuning.kvTokens) * 100) / 100,
      gen_throughput: seen.throughput,
      cache_hit_rate: 0,
      utilization: engine.spec.role === 'prefill' ? -1 : 0,
      disaggregation: {
        mode: mode(engine),
        ...(isSnapshot ? { prefill_bootstrap_queue_reqs: seen.bootstrap } : { prefill_prealloc_queue_reqs: seen.bootstrap }),
        prefill_inflight_queue_reqs: seen.inflight,
        decode_prealloc_queue_reqs: seen.prealloc,
        decode_transfer_queue_reqs: seen.transfer,
        decode_retracted_queue_reqs: 0,
        kv_transfer_speed_gb_s: 0,
        kv_transfer_latency_ms: 0,
      },
      queues: { waiting: seen.waiting, grammar: 0, paused: 0, retracted: 0 },
    };
  });
  const head = { timestamp: new Date(engine.clock.epoch() * 1000).toISOString().replace('Z', '000+00:00'), version: isSnapshot ? VERSION : '0.5.8' };
  if (isSnapshot) return { ...head, accelerator: null, num_accelerators: 1, loads: entries };
  const total = entries.reduce((sum, one) => sum + one.num_running_reqs + one.num_waiting_reqs, 0);
  return { ...head, dp_rank_count: entries.length, loads: entries, aggregate: { total_reqs: total } };
}

function mode(engine: Engine): string {
  return engine.spec.role === 'unified' ? 'null' : engine.spec.role;
}

function modelPath(engine: Engine): string {
  return engine.spec.model.startsWith('/') ? engine.spec.model : `/models/${engine.spec.model}`;
}
