import type { Incident } from '@/lib/model/incident';
import { cardOf } from '@/lib/report/cards';
import { Definitions } from '../ui/definitions';
import { Panel } from '../ui/panel';

/** What an alarm of this kind means and asks for. */
export function AlarmCard({ incident }: { incident: Pick<Incident, 'verdict' | 'place'> }) {
  const card = cardOf(incident.verdict, incident.place?.kind);
  return (
    <Panel title="What this alarm asks for" aside={`priority ${card.priority}`}>
      <p className="mb-2 font-semibold">{card.title}</p>
      <Definitions
        of={[
          ['means', card.means],
          ['costs', card.consequence],
          [
            'do',
            <ol key="response" className="list-decimal pl-4">
              {card.response.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ol>,
          ],
          ['by when', card.deadline],
          ['clears', card.clears],
        ]}
      />
    </Panel>
  );
}
