'use client';

import type { ReactNode } from 'react';
import { copyText } from '@/lib/client/told';

/** A number that a click or Enter copies, as `text` where what is shown was rounded. Of those in a table Tab passes by: the search copies them by keys. */
export function Num({ children, text, isInTable = false }: { children: ReactNode; text: string; isInTable?: boolean }) {
  return (
    <button
      type="button"
      title={`${text}: click to copy`}
      tabIndex={isInTable ? -1 : undefined}
      onClick={() => void copyText(text)}
      className="cursor-copy text-inherit decoration-dotted underline-offset-2 hover:underline"
    >
      {children}
    </button>
  );
}
