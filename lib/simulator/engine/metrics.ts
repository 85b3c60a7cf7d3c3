import type { Engine } from './engine';
import type { Histogram, RankPage } from './page';

const CONSTANT_ZERO = [
  'num_grammar_queue_reqs',
  'spec_accept_length',
  'spec_accept_rate',
  'swa_token_usage',
  'mamba_usage',
  'num_decode_host_receive_queue_reqs',
  'is_cuda_graph',
  'new_token_ratio',
  'cache_hit_rate',
  'pending_prealloc_token_usage',
];
const FIRST_GAUGES = [
  'num_running_reqs',
  'num_queue_reqs',
  'gen_throughput',
  'token_usage',
  'num_used_tokens',
  'num_prefill_bootstrap_queue_reqs',
  'num_prefill_inflight_queue_reqs',
  'num_decode_prealloc_queue_reqs',
  'num_decode_transfer_queue_reqs',
];

/** The page that the HTTP process serves from the shared files, in the form of sglang 0.5.23. Never asks a scheduler. */
export function metricsPage(engine: Engine): string {
  const page = new Page(engine.metricsForm === 'underscore' ? 'sglang_' : 'sglang:', rename(engine));
  const model = `model_name="${escaped(engine.spec.model)}"`;
  const type = `engine_type="${engine.spec.role}",${model}`;
  for (const rank of engine.ranks) {
    const labels = `${type},moe_ep_rank="0",pp_rank="0",tp_rank="0"${engine.ranks.length > 1 ? `,dp_rank="${rank.number}"` : ''}`;
    for (const name of FIRST_GAUGES) page.add(name, 'gauge', labels, rank.page.gauges.get(name) ?? 0);
    for (const [name, value] of rank.page.gauges) if (!FIRST_GAUGES.includes(name)) page.add(name, 'gauge', labels, value);
    for (const name of CONSTANT_ZERO) page.add(name, 'gauge', labels, 0);
    page.add('max_total_num_tokens', 'gauge', labels, engine.tuning.kvTokens);
    page.add('utilization', 'gauge', labels, engine.spec.role === 'prefill' ? -1 : 0);
    page.add('fwd_occupancy', 'gauge', labels, Number.NaN);
    addCounters(page, rank.page, labels);
  }
  addCounters(page, engine.http, type);
  for (const [labels, value] of engine.http.active) page.add('http_requests_active', 'gauge', labels, value);
  page.add('routing_keys_active', 'gauge', '', 0);
  const cpu = engine.clock.now();
  page.add('process_cpu_seconds_total', 'counter', 'component="tokenizer"', Math.floor(cpu / 5) * 0.2);
  page.add('process_cpu_seconds_total', 'counter', 'component="detokenizer"', Math.floor(cpu / 20) * 0.01);
  return page.text();
}

function addCounters(page: Page, from: RankPage, labels: string): void {
  for (const [key, value] of from.counters) {
    const { name, own } = split(key);
    // http_* families carry no model and engine labels (SGLang's sources).
    page.add(name, 'counter', name.startsWith('http_') ? own : join(own, labels), value);
  }
  for (const [key, histogram] of from.histograms) {
    const { name, own } = split(key);
    page.histogram(name, join(own, labels), histogram);
  }
}

class Page {
  private readonly families = new Map<string, string[]>();

  constructor(
    private readonly prefix: string,
    private readonly rename: (name: string) => string,
  ) {}

  add(name: string, type: string, labels: string, value: number): void {
    this.family(name, type).push(line(this.full(name), labels, value));
  }

  histogram(name: string, labels: string, { bounds, counts, sum, count }: Histogram): void {
    const lines = this.family(name, 'histogram');
    const full = this.full(name);
    lines.push(line(`${full}_sum`, labels, sum));
    for (const [i, bound] of bounds.entries()) lines.push(line(`${full}_bucket`, join(`le="${float(bound)}"`, labels), counts[i] ?? 0));
    lines.push(line(`${full}_bucket`, join('le="+Inf"', labels), count), line(`${full}_count`, labels, count));
  }

  text(): string {
    return `${[...this.families.values()].map((lines) => lines.join('\n')).join('\n')}\n`;
  }

  private full(name: string): string {
    return this.prefix + this.rename(name);
  }

  private family(name: string, type: string): string[] {
    const found = this.families.get(name);
    if (found !== undefined) return found;
    const full = this.full(name);
    const lines = [`# HELP ${full} ${name.replaceAll('_', ' ')}`, `# TYPE ${full} ${type}`];
    this.families.set(name, lines);
    return lines;
  }
}

function rename(engine: Engine): (name: string) => string {
  if (engine.metricsForm === 'prealloc') return (name) => name.replace('prefill_bootstrap_queue', 'prefill_prealloc_queue');
  if (engine.metricsForm === 'misspelt') return (name) => name.replace('prefill_inflight_queue', 'prefill_infight_queue');
  return (name) => name;
}

function split(key: string): { name: string; own: string } {
  const brace = key.indexOf('{');
  return brace < 0 ? { name: key, own: '' } : { name: key.slice(0, brace), own: key.slice(brace + 1, -1) };
}

function join(...parts: string[]): string {
  return parts.filter(Boolean).join(',');
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${float(value)}`;
}

function float(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
