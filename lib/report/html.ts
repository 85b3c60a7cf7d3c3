import { count, elapsed, percent } from '@/lib/format';
import { type AlarmState, alarmState } from '@/lib/model/incident';
import { placeName } from '@/lib/model/verdict';
import { type Bundle, pictureOf, utc, withTimes } from './bundle';
import { cardOf } from './cards';
import { chartsHtml } from './charts';
import { escaped } from './escape';
import { mapSvg } from './map';
import { noteHtml } from './note-html';
import { rawOf } from './raw';
import { STYLE } from './style';
import { nameOf, timeline } from './timeline';

/** The incident as one file that needs no network and runs no code: what its page says, drawings and raw probes included. All times are UTC. */
export function incidentHtml(bundle: Bundle): string {
  const { incident, kept } = bundle;
  const picture = pictureOf(bundle);
  const marks = [incident.openedAt, incident.closedAt ?? Number.NaN];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(`${incident.verdict} ${incident.stack} ${utc(incident.openedAt, true)} UTC`)}</title><style>${STYLE}</style></head>
<body><main>
${head(bundle)}
${section('What happened', happened(bundle))}
${picture ? section(bundle.now ? 'The stack when this was exported' : 'The stack at the first bad verdict', mapSvg(picture)) : ''}
${section('What it may be', suspicions(bundle))}
${kept ? section('Over time', chartsHtml(kept, marks)) : ''}
${section('Experiments', experiments(bundle))}
${section('What this alarm asks for', card(bundle))}
${kept ? section('Raw probes', kept.probes.map((each) => `<details open><summary>${utc(each.sentAt)} ${escaped(nameOf(kept, each.target))}: ${escaped(each.sentence)}</summary><pre>${escaped(rawOf(each))}</pre></details>`).join('')) : ''}
${kept ? section('Counters at the first bad verdict', counters(bundle)) : ''}
${section('The same before', related(bundle))}
<footer>Exported ${utc(bundle.exportedAt, true)} UTC by Wedgewatch ${escaped(bundle.build)}${bundle.isMasked ? ', hosts masked' : ''}. All times are UTC.</footer>
</main></body></html>
`;
}

const STATE_WORDS: Record<AlarmState, string> = {
  new: ', nobody has acknowledged it',
  acknowledged: '',
  shelved: '',
  'out of service': ', probing is paused',
  returned: ', nobody has acknowledged it',
  closed: '',
};

function section(title: string, body: string): string {
  return body === '' ? '' : `<section><h2>${title}</h2>${body}</section>`;
}

function head({ incident, exportedAt }: Bundle): string {
  const { verdict, openedAt, closedAt, ack, shelf, place } = incident;
  const state = alarmState(incident, exportedAt);
  const parts = [
    `<b>${closedAt === undefined ? 'open' : 'closed'}</b>${STATE_WORDS[state]}`,
    ack ? `acknowledged by ${escaped(ack.by)} at ${utc(ack.at)}` : '',
    shelf && state === 'shelved' ? `shelved until ${utc(shelf.until)} by ${escaped(shelf.by)}: ${escaped(shelf.reason)}` : '',
    place ? escaped(placeName(place) + (place.inferred ? ' (inferred)' : '')) : '',
    `opened ${utc(openedAt, true)}`,
    closedAt === undefined ? '' : `closed ${utc(closedAt, true)}`,
    `lasted ${elapsed((closedAt ?? exportedAt) - openedAt)}`,
    `stack ${escaped(incident.stack)}`,
  ];
  return `<header class="${verdict}"><p class="verdict">${verdict.toUpperCase()}</p><h1>${escaped(withTimes(incident.sentence))}</h1><p>${parts.filter(Boolean).join(' · ')}</p></header>`;
}

function happened({ incident, events, experiments: trials, kept }: Bundle): string {
  const entries = timeline({ incident, events, experiments: trials, ...(kept ? { kept } : {}) });
  const lines = entries.map(
    (each) =>
      `<li><time datetime="${new Date(each.at).toISOString()}">${utc(each.at)}</time><span class="what">${escaped(each.what)}</span><div>${each.isFirstOut ? '<b class="first">FIRST OUT</b> ' : ''}${escaped(withTimes(each.sentence))}${each.note === undefined ? '' : noteHtml(each.note)}</div></li>`,
  );
  return `<ol class="timeline">${lines.join('')}</ol>`;
}

function suspicions(bundle: Bundle): string {
  const all = pictureOf(bundle)?.hypotheses ?? [];
  const items = all.map((each) => {
    const evidence = [...each.evidence].sort((a, b) => b.weight - a.weight);
    const lines = evidence.map((one) => `<li>${one.weight >= 0 ? '+' : '−'} ${escaped(withTimes(one.because))} <small>(${one.weight.toFixed(1)})</small></li>`);
    return `<li><p><b>${percent(each.probability)}</b> ${escaped(withTimes(each.claim))} <small>${escaped(each.id)}, log-odds ${each.logOdds.toFixed(1)}</small></p><ul>${lines.join('')}</ul><p>next: ${escaped(withTimes(each.next))}</p></li>`;
  });
  return items.length === 0 ? '' : `<ol class="suspicions">${items.join('')}</ol>`;
}

function experiments({ experiments: all }: Bundle): string {
  return all
    .map((each) => {
      const name = (id: string) => each.targets?.find((target) => target.id === id)?.name ?? id;
      const rows = each.cells
        .filter((cell) => cell.tries.length > 0)
        .map(
          (cell) =>
            `<tr><td>${escaped(name(cell.target))}</td><td>${escaped(cell.model)}</td><td>${cell.whose}${cell.stream === false ? ', whole answer' : ''}${cell.prompt ? ', long prompt' : ''}</td><td>${escaped(cell.tries.map((one) => one.sentence).join('; '))}</td></tr>`,
        );
      return `<p>${utc(each.startedAt)} ${escaped(each.conclusion?.sentence ?? each.state)}${each.conclusion ? ` <small>confidence ${each.conclusion.confidence}</small>` : ''}</p><table><thead><tr><th>front-end</th><th>asked for</th><th>whose id</th><th>came</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
    })
    .join('');
}

function card({ incident }: Bundle): string {
  const { title, means, consequence, response, deadline, priority, clears } = cardOf(incident.verdict, incident.place?.kind);
  const steps = response.map((each) => `<li>${escaped(each)}</li>`).join('');
  return `<p><b>${escaped(title)}</b>, priority ${priority}, act ${escaped(deadline)}</p><p>${escaped(means)} ${escaped(consequence)}</p><ol>${steps}</ol><p>Clears: ${escaped(clears)}</p>`;
}

function counters({ kept }: Bundle): string {
  if (!kept) return '';
  const targets = [...new Set(kept.readings.map((each) => each.target))];
  return targets
    .map((target) => {
      const rows = kept.readings
        .filter((each) => each.target === target)
        .map((each) => `<tr><td>${escaped(each.key)}</td><td class="n">${count(each.value)}</td><td class="n">${utc(each.at)}</td></tr>`);
      return `<details><summary>${escaped(nameOf(kept, target))} (${rows.length})</summary><table><tbody>${rows.join('')}</tbody></table></details>`;
    })
    .join('');
}

function related({ related: all }: Bundle): string {
  const lines = all.map((each) => `<li>${utc(each.openedAt, true)}: ${escaped(withTimes(each.sentence))}</li>`);
  return lines.length === 0 ? '' : `<ul>${lines.join('')}</ul>`;
}
