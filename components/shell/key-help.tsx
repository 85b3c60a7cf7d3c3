'use client';

import { KEY_MAP } from '@/lib/client/keys';
import { changeSettings, useSettings } from '@/lib/client/settings';
import { Dialog } from '../ui/dialog';

/** Which key does what, and the switch that turns single keys off. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const { singleKeys } = useSettings();
  return (
    <Dialog title="Keys" onClose={onClose}>
      <table className="w-full text-left text-sm">
        <tbody>
          {KEY_MAP.map(([keys, does]) => (
            <tr key={keys} className="border-b border-hairline last:border-b-0">
              <th scope="row" className="py-1 pr-4 font-mono font-semibold whitespace-nowrap">
                {keys}
              </th>
              <td className="py-1 text-soft">{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <label className="mt-3 flex min-h-6 items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4"
          checked={singleKeys === 'on'}
          onChange={(event) => changeSettings({ singleKeys: event.target.checked ? 'on' : 'off' })}
        />
        Single keys act (Ctrl K and Esc always do)
      </label>
    </Dialog>
  );
}
