import type { ReactNode } from 'react';

/** Names and values, one a line; entries without a value are left out. */
export function Definitions({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
      {of.map(([name, value]) =>
        value === undefined || value === null || value === '' ? null : (
          <div key={name} className="contents">
            <dt className="text-faint">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
