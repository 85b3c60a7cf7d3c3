import { placeBox } from '../../topology/fixtures';
import type { MapProps } from './desk-map';
import { Dots, Under } from './layers';
import { SlotCard } from './slot-card';

/** The map as the server draws it: the same boxes as in the viewport, before that is loaded and on paper. */
export function PlainMap({ drawn, kv, lit, shown }: MapProps) {
  const { geometry } = drawn;
  return (
    <div className="size-full overflow-y-auto">
      <div className="relative" style={{ height: geometry.height }}>
        <Under drawn={drawn} kv={kv} lit={lit} />
        {geometry.slots.map((slot) =>
          shown.has(slot.id) ? (
            <div key={slot.id} className="absolute" style={placeBox(slot)}>
              <SlotCard id={slot.id} form={slot.form} />
            </div>
          ) : null,
        )}
        {drawn.promoted
          .flatMap((lane) => lane.slots)
          .map((slot) => (
            <div key={slot.id} className="absolute" style={placeBox(slot)}>
              <SlotCard id={slot.id} form={slot.form} />
            </div>
          ))}
        <Dots drawn={drawn} />
      </div>
    </div>
  );
}
