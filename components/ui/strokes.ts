/** Space for the numbers at the left and to the right of the last point; the cursor is laid over the plot by these. */
export const PLOT = { left: 38, right: 8 } as const;

/** Series are told apart by colour and dash; none comes near the colours of verdicts. Apart from the chart, since legends are there before it. */
export const STROKES = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)', 'var(--series-4)', 'var(--series-5)'] as const;
export const DASHES = [undefined, '6 3', '2 3', '9 3 2 3', '1 4'] as const;
