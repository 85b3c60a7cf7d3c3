import { cut, elapsed, percent } from '@/lib/format';
import { alarmState } from '@/lib/model/incident';
import { placeName } from '@/lib/model/verdict';
import { type Bundle, pictureOf, utc, withTimes } from './bundle';
import { cardOf } from './cards';
import { timeline } from './timeline';

const MOST_LINES = 30;
const MOST_EVIDENCE = 4;

/** The incident as text for a chat channel or a ticket; all times are UTC. */
export function incidentMarkdown(bundle: Bundle): string {
  const { incident, experiments, page } = bundle;
  return [
    `**${plain(withTimes(incident.sentence))}**`,
    facts(bundle),
    suspicion(bundle),
    `**What happened** (UTC)\n${happened(bundle)}`,
    ...experiments.flatMap((each) => (each.conclusion ? [`**Experiment** (${utc(each.startedAt)}): ${plain(each.conclusion.sentence)}`] : [])),
    notes(bundle),
    page === undefined ? '' : `Its page: ${page}`,
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

function facts({ incident, exportedAt }: Bundle): string {
  const { openedAt, closedAt, place, verdict, ack, shelf, targets } = incident;
  const lasted = elapsed((closedAt ?? exportedAt) - openedAt);
  const state = alarmState(incident, exportedAt);
  return [
    `- ${verdict}${place ? ` at ${plain(placeName(place))}${place.inferred ? ' (inferred)' : ''}` : ''}, stack ${plain(incident.stack)}`,
    `- opened ${utc(openedAt, true)} UTC, ${closedAt === undefined ? `open for ${lasted}` : `closed ${utc(closedAt, true)} UTC after ${lasted}`}`,
    `- ${state}${shelf && state === 'shelved' ? ` until ${utc(shelf.until)} by ${plain(shelf.by)} (${plain(shelf.reason)})` : ''}${ack ? `, acknowledged by ${plain(ack.by)} at ${utc(ack.at)}` : ''}`,
    `- first out: ${targets.map((each) => plain(each)).join(', ') || 'none'}`,
    ...cardOf(verdict, place?.kind)
      .response.slice(0, 2)
      .map((each) => `- do: ${each}`),
  ].join('\n');
}

function suspicion(bundle: Bundle): string {
  const top = pictureOf(bundle)?.hypotheses[0];
  if (!top) return '';
  const evidence = [...top.evidence].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, MOST_EVIDENCE);
  const lines = evidence.map((each) => `- ${each.weight >= 0 ? 'for' : 'against'}: ${plain(withTimes(each.because))}`);
  return [`**Likeliest** (${percent(top.probability)}): ${plain(withTimes(top.claim))}`, ...lines, `- next: ${plain(withTimes(top.next))}`].join('\n');
}

function happened({ incident, events, kept, experiments }: Bundle): string {
  const entries = timeline({ incident, events, experiments, ...(kept ? { kept } : {}) }).filter((each) => each.what !== 'updated');
  const lines = entries.map((each) => `- ${utc(each.at)} ${each.what}: ${each.isFirstOut ? '(first out) ' : ''}${plain(withTimes(cut(each.sentence, 300)))}`);
  const left = lines.length - MOST_LINES;
  return left > 0 ? [...lines.slice(0, MOST_LINES), `- and ${left} more`].join('\n') : lines.join('\n');
}

function notes({ events }: Bundle): string {
  const all = events.filter((each) => each.kind === 'note').sort((a, b) => a.at - b.at);
  const texts = all.map(({ by, at, data }) => `${plain(by ?? 'somebody')}, ${utc(at)}:\n${quoted((data as { text?: string } | undefined)?.text ?? '')}`);
  return texts.length === 0 ? '' : `**Notes**\n${texts.join('\n\n')}`;
}

function quoted(text: string): string {
  return text
    .replace(/<(?=[!@#a-z/])/gi, '&lt;')
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Other people's text on one line that means nothing to Markdown, nor calls a whole channel. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|~]/g, '\\$&');
}
