import { cut, elapsed } from '@/lib/format';
import type { NodeView, StackView } from '@/lib/model/snapshot';
import { Copy } from '../ui/copy';
import { Definitions } from '../ui/definitions';
import { Panel } from '../ui/panel';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** Who this node is, how we know it, what it serves and with whom. */
export function Identity({ node, stack, now }: { node: NodeView; stack: StackView; now: number }) {
  return (
    <>
      <Panel title="Identity">
        <Definitions
          of={[
            ['URL', <span key="url">{cut(node.url, 300)}</span>],
            ['software', [node.kind, node.version].filter(Boolean).join(' ')],
            ['role', node.role],
            ['known by', node.known.join(', ')],
            ['process', node.pid === undefined ? undefined : `pid ${node.pid}`],
            ['restarts seen', node.restarts.length === 0 ? 'none' : <Restarts key="restarts" at={node.restarts} />],
            ['scheduler spoke', node.schedulerAgeS === undefined ? undefined : `${elapsed(node.schedulerAgeS * 1_000)} ago`],
          ]}
        />
        {node.cmdline ? (
          <div className="mt-2 grid justify-items-start gap-1">
            <pre className="max-w-full overflow-x-auto bg-sunken p-2 font-mono text-2xs wrap-anywhere whitespace-pre-wrap">{cut(node.cmdline, 4_000)}</pre>
            <Copy text={node.cmdline} what="Copy command line" />
          </div>
        ) : null}
      </Panel>
      <Panel
        title="Models that it advertises"
        state={node.models.ids.length === 0 ? { kind: 'empty', why: cut(node.models.error ?? 'It has told no model id yet.', 300) } : undefined}
      >
        <ul>
          {node.models.ids.slice(0, 50).map((id) => (
            <li key={id} className="font-mono text-xs wrap-anywhere">
              {cut(id, 200)}
            </li>
          ))}
        </ul>
        {node.models.error ? <p className="text-soft">Last known; now: {cut(node.models.error, 200)}</p> : null}
      </Panel>
      <Pages node={node} now={now} />
      {node.workers ? <Workers node={node} stack={stack} /> : null}
    </>
  );
}

function Restarts({ at }: { at: readonly number[] }) {
  return (
    <ul>
      {at.slice(-8).map((moment) => (
        <li key={moment}>
          <Time at={moment} withDate />
        </li>
      ))}
    </ul>
  );
}

function Pages({ node, now }: { node: NodeView; now: number }) {
  if (node.pages.length === 0) return null;
  return (
    <Panel title="Pages that we read">
      <ul className="grid gap-1">
        {node.pages.map((page) => (
          <li key={page.source}>
            {page.source}: <span className={page.outcome === 'ok' ? 'text-soft' : 'font-semibold'}>{page.outcome}</span>
            <span className="text-soft">
              , {elapsed(now - page.at)} ago
              {page.outcome !== 'ok' && page.lastOk !== undefined ? `; last read ${elapsed(now - page.lastOk)} ago` : ''}
              {page.detail ? `; ${cut(page.detail, 200)}` : ''}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Workers({ node, stack }: { node: NodeView; stack: StackView }) {
  const workers = node.workers ?? [];
  return (
    <Panel
      title="Workers on its own list"
      state={workers.length === 0 ? { kind: 'empty', why: 'Its list is empty: it has nobody to send requests to.' } : undefined}
    >
      <ul className="grid gap-1">
        {workers.slice(0, 100).map((worker) => {
          const known = stack.nodes.find((one) => one.id === worker.target);
          return (
            <li key={`${worker.role} ${worker.url}`} className="wrap-anywhere">
              {known ? (
                <ViewLink path={`/targets/${encodeURIComponent(known.id)}`} className="link">
                  {known.name}
                </ViewLink>
              ) : null}{' '}
              {cut(worker.url, 200)}{' '}
              <span className="text-soft">
                {worker.role}
                {worker.isHealthy === undefined ? '' : worker.isHealthy ? ', says healthy' : ', says not healthy'}
                {worker.load === undefined ? '' : `, load ${worker.load}`}
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
