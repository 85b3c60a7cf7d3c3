import { count, cut } from '@/lib/format';
import type { StackView } from '@/lib/model/snapshot';
import type { Verdict } from '@/lib/model/verdict';
import { Glyph } from '../ui/glyph';
import type { Box, Geometry, LaneKind } from './layout';
import type { DrawnDot } from './paths';

/** CSS of a rectangle of the map: thousandths become percent, map units follow `--u`. */
export function placeBox({ x, y, w, h }: Box) {
  return { left: `${x / 10}%`, top: `calc(${y} * var(--u))`, width: `${w / 10}%`, height: `calc(${h} * var(--u))` };
}

export function spot({ x, y }: { x: number; y: number }) {
  return { left: `${x / 10}%`, top: `calc(${y} * var(--u))` };
}

const TITLES: Record<LaneKind, string> = { clients: 'clients', 'front-ends': 'front-ends', prefill: 'prefill', kv: 'KV', decode: 'decode', engine: 'engines' };

type Stops = ReadonlyMap<string, { names: string[]; inferred: boolean; verdict: Verdict; place: string }>;

/** Names of the lanes, and beneath each who stops there. */
export function LaneHeads({ geometry, stops, isWall }: { geometry: Geometry; stops: Stops; isWall: boolean }) {
  return (
    <>
      {geometry.lanes.map((lane) => {
        const stop = stops.get(lane.kind);
        const narrow = lane.kind === 'kv' || lane.kind === 'clients';
        return (
          <div
            key={lane.kind}
            className={`absolute top-0 whitespace-nowrap ${isWall ? 'text-wall' : 'text-2xs'}`}
            style={{ left: `${lane.x / 10}%`, width: `${lane.w / 10}%` }}
          >
            {isWall ? null : (
              <div className={`text-faint ${narrow ? 'text-center' : ''}`}>
                {TITLES[lane.kind]}
                {lane.count > 1 ? ` ${lane.count}` : ''}
              </div>
            )}
            {stop ? (
              <div data-verdict={stop.verdict} className={`font-bold text-state ${narrow ? 'relative left-1/2 w-max -translate-x-1/2' : 'truncate'}`}>
                {isWall
                  ? 'stops here'
                  : `${cut(stop.names.join(', '), 60)} ${stop.names.length > 1 ? 'stop' : 'stops'} here${stop.inferred ? ' (inferred)' : ''}`}
              </div>
            ) : null}
          </div>
        );
      })}
      {isWall ? null : <div className="absolute right-0 bottom-0 text-2xs text-faint">return path</div>}
    </>
  );
}

/** Clients at the left, and the KV transfer as a node of its own: a bus bar between the two halves. */
export function Bus({ geometry, kv, isWall }: { geometry: Geometry; kv: StackView['kv']; isWall: boolean }) {
  const clients = geometry.lanes.find((lane) => lane.kind === 'clients');
  const bus = geometry.lanes.find((lane) => lane.kind === 'kv');
  const tall = { y: geometry.top, h: geometry.bottom - geometry.top };
  return (
    <>
      {clients ? (
        <div
          className="absolute grid place-items-center rounded-[3px] border border-hairline bg-sunken text-2xs text-faint"
          style={placeBox({ ...clients, ...tall })}
        >
          {isWall ? (
            <span className="text-wall leading-none text-soft [writing-mode:vertical-rl]">clients</span>
          ) : (
            <span className="text-center leading-tight">
              users
              <br />+<br />
              probe
            </span>
          )}
        </div>
      ) : null}
      {bus ? (
        <div
          role="img"
          aria-label={`KV transfer: ${kv ? `${kv.verdict}. ${kv.sentence}` : 'nothing known'}`}
          title={kv?.sentence}
          data-verdict={kv?.verdict ?? 'unknown'}
          className={`stale-when-blind absolute flex flex-col items-center justify-center gap-1 rounded-[3px] bg-sunken text-2xs ${
            !kv || kv.verdict === 'ok' ? 'border border-line' : kv.verdict === 'unknown' ? 'border border-dashed border-state' : 'border-4 border-state'
          }`}
          style={placeBox({ ...bus, ...tall })}
        >
          {isWall ? (
            <>
              <Glyph verdict={kv?.verdict ?? 'unknown'} className="size-[calc(48*var(--u))]" />
              <span className="text-wall leading-[1.1] text-soft">KV</span>
            </>
          ) : (
            <>
              <Glyph verdict={kv?.verdict ?? 'unknown'} className="size-4" />
              <span className="text-soft">transfer</span>
              <span className={kv?.queue ? 'text-sm font-semibold' : 'text-soft'}>{kv?.queue === undefined ? '–' : count(kv.queue)}</span>
            </>
          )}
        </div>
      ) : null}
    </>
  );
}

/** The dot of one probe: its verdict's shape where it halted, hollow where that is inferred; small and plain while it moves. */
export function Dot({ dot, isWall }: { dot: DrawnDot; isWall: boolean }) {
  if (!dot.moving && dot.verdict === 'ok') return null;
  return (
    <span
      className="absolute z-10 -translate-1/2 motion-safe:transition-[left,top] motion-safe:duration-300"
      style={spot(dot)}
      role="img"
      aria-label={`${dot.count > 1 ? `${dot.name} and ${dot.count - 1} more: a probe ` : `${dot.name}'s probe `}${dot.moving ? 'is here' : 'stops here'}${dot.inferred ? ', inferred' : ''}`}
      title={`${dot.name}${dot.moving ? ': on its way' : ' stops here'}${dot.inferred ? ' (inferred)' : ''}`}
    >
      {dot.moving ? (
        <span className={`block rounded-full ${isWall ? 'size-[calc(28*var(--u))]' : 'size-3'} border-2 border-ink ${dot.inferred ? 'bg-ground' : 'bg-ink'}`} />
      ) : (
        <>
          <Glyph verdict={dot.verdict} hollow={dot.inferred} className={isWall ? 'size-[calc(60*var(--u))]' : 'size-5'} />
          {dot.count > 1 ? (
            <span className={`absolute top-full left-1/2 -translate-x-1/2 bg-ground font-bold ${isWall ? 'text-wall' : 'text-2xs'}`}>×{dot.count}</span>
          ) : null}
        </>
      )}
    </span>
  );
}
