'use client';

/** What is shown when a page of ours failed: what to do, and that it says nothing about the stack. */
export default function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  const told = error instanceof Error ? error.message : '';
  return (
    <main className="hatched m-6 border-l-8 border-unknown p-4" role="alert">
      <h1 className="bg-ground text-xl font-semibold">This page of Wedgewatch failed</h1>
      <p className="bg-ground py-2 text-soft">It is our own fault and says nothing about the stack. {told.slice(0, 300)}</p>
      <button type="button" onClick={() => retry()} className="min-h-7 rounded-sm border border-line bg-ground px-3 font-semibold hover:border-ink">
        Try again
      </button>
    </main>
  );
}
