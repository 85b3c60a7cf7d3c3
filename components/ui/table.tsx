'use client';

import { type ReactNode, useState } from 'react';

/** A column; `isWide` ones are left out on a phone. */
export type Column<Row> = { title: string; cell: (row: Row) => ReactNode; sort?: (row: Row) => string | number; isWide?: boolean; isNumber?: boolean };

/** A table whose titles sort it; unsorted it keeps the order it was given. */
export function Table<Row>({
  caption,
  rows,
  columns,
  rowKey,
  rowId,
}: {
  caption: string;
  rows: readonly Row[];
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  rowId?: (row: Row) => string;
}) {
  const [order, setOrder] = useState<{ title: string; isDown: boolean }>();
  const by = columns.find((column) => column.title === order?.title)?.sort;
  const sorted = by ? [...rows].sort((a, b) => compare(by(a), by(b)) * (order?.isDown ? -1 : 1)) : rows;
  const turn = (title: string) => setOrder(order?.title === title ? (order.isDown ? undefined : { title, isDown: true }) : { title, isDown: false });
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-hairline text-2xs text-faint">
            {columns.map((column) => {
              const isBy = order?.title === column.title;
              return (
                <th
                  key={column.title}
                  scope="col"
                  aria-sort={isBy ? (order.isDown ? 'descending' : 'ascending') : undefined}
                  className={`pr-4 font-normal whitespace-nowrap ${column.isWide ? 'max-md:hidden' : ''} ${column.isNumber ? 'text-right' : ''}`}
                >
                  {column.sort ? (
                    <button type="button" onClick={() => turn(column.title)} className="min-h-6 hover:text-ink hover:underline">
                      {column.isNumber ? <Arrow way={isBy ? order.isDown : undefined} /> : null}
                      {column.title}
                      {column.isNumber ? null : <Arrow way={isBy ? order.isDown : undefined} />}
                    </button>
                  ) : (
                    column.title
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={rowKey(row)} id={rowId?.(row)} className="border-b border-hairline target:bg-sunken last:border-b-0">
              {columns.map((column) => (
                <td
                  key={column.title}
                  className={`py-1 pr-4 align-middle ${column.isWide ? 'max-md:hidden' : ''} ${column.isNumber ? 'text-right whitespace-nowrap' : ''}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Before the title of a number and after that of a word, so that titles stand over what they name. */
function Arrow({ way }: { way: boolean | undefined }) {
  return (
    <span aria-hidden="true" className="inline-block w-3 text-center">
      {way === undefined ? '' : way ? '↓' : '↑'}
    </span>
  );
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
