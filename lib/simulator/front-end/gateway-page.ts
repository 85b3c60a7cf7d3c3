import type { FrontEnd } from './front-end';
import type { Pool } from './pool';

const AGES = [0, 30, 60, 180, 300, 600, 1200, 3600, 7200, 14400, 28800, 86400];

/** Numbers of the gateway's own metrics page (port 29000), in the names of sglang-router 0.3.2. */
export class GatewayPage {
  private readonly counters = new Map<string, number>();
  private ages = AGES.map(() => 0);

  constructor(
    private readonly fe: FrontEnd,
    private readonly pool: Pool,
  ) {}

  add(series: string, by = 1): void {
    this.counters.set(series, (this.counters.get(series) ?? 0) + by);
  }

  /** The in-flight ages are sampled each 20 s; any route counts. */
  sampleAges(): void {
    const now = this.fe.clock.now();
    this.ages = AGES.map((from, i) => {
      const to = AGES[i + 1] ?? Number.POSITIVE_INFINITY;
      return [...this.fe.inflight].filter(({ since }) => now - since >= from && now - since < to).length;
    });
  }

  text(): string {
    const now = this.fe.clock.now();
    const families = new Map<string, string[]>();
    const add = (type: string, series: string, value: number) => {
      const name = series.split('{')[0] ?? series;
      const lines = families.get(name) ?? [`# HELP ${name} ${name.replaceAll('_', ' ')}`, `# TYPE ${name} ${type}`];
      lines.push(`${series} ${value}`);
      families.set(name, lines);
    };
    for (const [series, value] of this.counters) add('counter', series, value);
    for (const [i, count] of this.ages.entries()) add('gauge', `smg_http_inflight_request_age_count{gt="${AGES[i]}",le="${AGES[i + 1] ?? '+Inf'}"}`, count);
    for (const { worker, circuit, isHealthy, active, checks } of this.pool.list()) {
      const label = `{worker="${worker.url}"}`;
      add('gauge', `smg_worker_health${label}`, isHealthy ? 1 : 0);
      add('gauge', `smg_worker_cb_state${label}`, circuit.state(now));
      add('gauge', `smg_worker_requests_active${label}`, active);
      add('gauge', `smg_worker_cb_consecutive_successes${label}`, circuit.consecutive.success);
      add('gauge', `smg_worker_cb_consecutive_failures${label}`, circuit.consecutive.failure);
      add('gauge', `smg_worker_pool_size{worker_type="${worker.role}",connection_mode="http",model="${worker.model}"}`, 1);
      for (const outcome of ['success', 'failure'] as const) {
        if (circuit.outcomes[outcome] > 0)
          add('counter', `smg_worker_cb_outcomes_total{worker="${worker.url}",outcome="${outcome}"}`, circuit.outcomes[outcome]);
        if (checks[outcome] > 0) add('counter', `smg_worker_health_checks_total{worker_type="${worker.role}",result="${outcome}"}`, checks[outcome]);
      }
    }
    add('gauge', 'smg_http_connections_active', this.fe.inflight.size);
    return `${[...families.values()].map((lines) => lines.join('\n')).join('\n\n')}\n`;
  }
}
