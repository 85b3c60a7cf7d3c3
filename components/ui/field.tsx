'use client';

import { type ReactNode, useId } from 'react';

/** A control with its name over it; the control takes the id that it is given. */
export function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-2xs text-faint">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

/** The looks of a box to write or choose in; large enough for a thumb on a phone. */
export const BOX = 'min-h-7 w-full min-w-0 rounded-sm border border-line bg-ground px-2 text-sm max-sm:min-h-10 max-sm:text-base';
