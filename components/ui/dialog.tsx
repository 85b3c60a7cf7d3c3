'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** A box over the page that holds the focus; Escape, the button and a click beside it close it. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    // The browser would focus the first that can be, the button that closes.
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={box}
      aria-label={title}
      onClose={onClose}
      className="m-auto w-[min(36rem,calc(100vw-2rem))] border border-line bg-raised p-4 text-ink backdrop:bg-black/50"
    >
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 className="text-base font-semibold">{title}</h2>
        <button type="button" onClick={() => box.current?.close()} className="min-h-6 rounded-sm px-2 text-sm text-soft hover:text-ink hover:underline">
          Close
        </button>
      </div>
      {children}
    </dialog>
  );
}
