'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { acknowledge, addNote, markHere, shelve, unshelve } from '@/lib/client/actions';
import { changeSettings, useSettings } from '@/lib/client/settings';
import type { Incident } from '@/lib/model/incident';
import { BOX, Field } from '../ui/field';
import { Panel } from '../ui/panel';
import { useAlarmState } from './state';

/** What a person can do to an incident. Their name is asked for once and remembered by this browser. */
export function Actions({ incident }: { incident: Incident }) {
  const { name } = useSettings();
  const nameBox = useRef<HTMLInputElement>(null);
  const [form, setForm] = useState<'shelve' | 'mark'>();
  const { state } = useAlarmState(incident);
  const client = useQueryClient();
  const act = useMutation({
    mutationFn: async (deed: (by: string) => Promise<void>) => {
      const by = name.trim();
      if (by === '') {
        nameBox.current?.focus();
        throw new Error('Say who you are first: the others read it in the log.');
      }
      await deed(by);
    },
    onSuccess: () => {
      setForm(undefined);
      for (const queryKey of [['incident', incident.id], ['incidents']]) void client.invalidateQueries({ queryKey });
    },
  });
  return (
    <Panel title="What you can do">
      <div className="grid gap-3">
        <Field label="Your name">
          {(id) => (
            <input
              id={id}
              ref={nameBox}
              autoComplete="name"
              maxLength={60}
              value={name}
              onChange={(event) => changeSettings({ name: event.target.value })}
              className={BOX}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          {incident.ack ? null : (
            <button
              type="button"
              data-key="a"
              disabled={act.isPending}
              onClick={() => act.mutate((by) => acknowledge(incident.id, by))}
              className={`${BUTTON} font-semibold`}
            >
              Acknowledge
            </button>
          )}
          {state === 'shelved' ? (
            <button type="button" data-key="s" disabled={act.isPending} onClick={() => act.mutate((by) => unshelve(incident.id, by))} className={BUTTON}>
              Take off the shelf
            </button>
          ) : (
            <button
              type="button"
              data-key="s"
              aria-expanded={form === 'shelve'}
              onClick={() => setForm(form === 'shelve' ? undefined : 'shelve')}
              className={BUTTON}
            >
              Shelve…
            </button>
          )}
          <button type="button" aria-expanded={form === 'mark'} onClick={() => setForm(form === 'mark' ? undefined : 'mark')} className={BUTTON}>
            Mark here…
          </button>
        </div>
        {form === 'shelve' ? <ShelveForm isBusy={act.isPending} onSend={(span, reason) => act.mutate((by) => shelve(incident.id, by, span, reason))} /> : null}
        {form === 'mark' ? <MarkForm isBusy={act.isPending} onSend={(text) => act.mutate((by) => markHere(incident.stack, by, text))} /> : null}
        {act.error ? (
          <p role="alert" className="border-l-4 border-unknown pl-2">
            {act.error.message}
          </p>
        ) : null}
        <NoteForm isBusy={act.isPending} onSend={(text) => act.mutateAsync((by) => addNote(incident.id, by, text))} />
      </div>
    </Panel>
  );
}

const SPANS = [
  ['30m', '30 minutes'],
  ['1h', '1 hour'],
  ['4h', '4 hours'],
  ['12h', '12 hours'],
  ['24h', '24 hours'],
] as const;

/** Silent for a time, never for ever, and with a reason that the others can read. */
function ShelveForm({ isBusy, onSend }: { isBusy: boolean; onSend: (span: string, reason: string) => void }) {
  const [span, setSpan] = useState('1h');
  const [reason, setReason] = useState('');
  return (
    <form onSubmit={sending(() => onSend(span, reason))} className="grid gap-2 border-l-2 border-hairline pl-3">
      <Field label="For">
        {(id) => (
          <select id={id} value={span} onChange={(event) => setSpan(event.target.value)} className={BOX}>
            {SPANS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Why">
        {(id) => <input id={id} required maxLength={300} value={reason} onChange={(event) => setReason(event.target.value)} className={BOX} />}
      </Field>
      <p className="text-2xs text-faint">It stays on every screen, silent. The same alarm stays silent too when it clears and comes again before the end.</p>
      <button type="submit" disabled={isBusy} className={`${BUTTON} justify-self-start font-semibold`}>
        Shelve
      </button>
    </form>
  );
}

function MarkForm({ isBusy, onSend }: { isBusy: boolean; onSend: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form onSubmit={sending(() => onSend(text))} className="grid gap-2 border-l-2 border-hairline pl-3">
      <Field label="What happens now">
        {(id) => (
          <input
            id={id}
            required
            maxLength={500}
            placeholder="rolled back the gateway"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={BOX}
          />
        )}
      </Field>
      <button type="submit" disabled={isBusy} className={`${BUTTON} justify-self-start font-semibold`}>
        Mark
      </button>
    </form>
  );
}

function NoteForm({ isBusy, onSend }: { isBusy: boolean; onSend: (text: string) => Promise<void> }) {
  const [text, setText] = useState('');
  const send = () => {
    // What could not be sent stays in the box.
    onSend(text).then(
      () => setText(''),
      () => {},
    );
  };
  return (
    <form onSubmit={sending(send)} className="grid gap-2">
      <Field label="Note (Markdown)">
        {(id) => (
          <textarea
            id={id}
            required
            rows={3}
            maxLength={10_000}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={`${BOX} resize-y py-1`}
          />
        )}
      </Field>
      <button type="submit" disabled={isBusy || text.trim() === ''} className={`${BUTTON} justify-self-start`}>
        Add the note
      </button>
    </form>
  );
}

function sending(send: () => void) {
  return (event: FormEvent) => {
    event.preventDefault();
    send();
  };
}

const BUTTON = 'min-h-7 rounded-sm border border-line px-3 hover:border-ink disabled:opacity-50 max-sm:min-h-10';
