/** A histogram as Prometheus keeps one. */
export type Histogram = { bounds: readonly number[]; counts: number[]; sum: number; count: number };

/** Values of one rank as last written to the shared files: the metrics page shows these, whatever the scheduler does now. */
export class RankPage {
  readonly gauges = new Map<string, number>();
  /** Key: `name` or `name{label="value"}`. */
  readonly counters = new Map<string, number>();
  readonly histograms = new Map<string, Histogram>();

  add(counter: string, by: number): void {
    this.counters.set(counter, (this.counters.get(counter) ?? 0) + by);
  }

  observe(name: string, value: number, bounds: readonly number[] = SECONDS): void {
    const histogram = this.histograms.get(name) ?? { bounds, counts: bounds.map(() => 0), sum: 0, count: 0 };
    this.histograms.set(name, histogram);
    histogram.sum += value;
    histogram.count += 1;
    for (const [i, bound] of histogram.bounds.entries()) if (value <= bound) histogram.counts[i] = (histogram.counts[i] ?? 0) + 1;
  }
}

/** Values that the HTTP process writes itself. */
export class HttpPage extends RankPage {
  readonly active = new Map<string, number>();

  begin(endpoint: string, method: string): (status: number) => void {
    const labels = `endpoint="${endpoint}",method="${method}"`;
    this.add(`http_requests_total{${labels}}`, 1);
    this.active.set(labels, (this.active.get(labels) ?? 0) + 1);
    let isDone = false;
    return (status) => {
      if (isDone) return;
      isDone = true;
      this.active.set(labels, (this.active.get(labels) ?? 1) - 1);
      this.add(`http_responses_total{${labels},status_code="${status}"}`, 1);
    };
  }
}

const SECONDS = [0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400];
