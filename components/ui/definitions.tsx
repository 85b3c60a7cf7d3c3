import type { ReactNode } from 'react';
import { Num } from './number';

/** Names and values, one a line; entries without a value are left out, those with a number are copied by a click. */
export function Definitions({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
      {of.map(([name, value]) =>
        value === undefined || value === null || value === '' ? null : (
          <div key={name} className="contents">
            <dt className="text-faint">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{typeof value === 'string' && /\d/.test(value) ? <Num text={value}>{value}</Num> : value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
