import { realClock } from '@/lib/io/clock';
import type { FromWatcher, ToWatcher } from './messages';
import { startWatching, type Watching } from './watching';

/** The watcher in a process of its own, so that it can be stopped and continued as the product's process would be. */
let watching: Watching | undefined;

process.on('message', (message: ToWatcher) => {
  act(message).catch((error: unknown) => say({ kind: 'error', message: error instanceof Error ? error.message : String(error) }));
});
process.once('disconnect', () => process.exit(0));
say({ kind: 'loaded' });

async function act(message: ToWatcher) {
  switch (message.kind) {
    case 'watch':
      watching = startWatching(
        message.config,
        realClock(message.config.timeScale),
        () => Date.now(),
        (line) => say({ kind: 'line', ...line }),
      );
      return;
    case 'clock':
      return watching?.stepClock(message.seconds);
    case 'model':
      return watching?.setModel(message.front, message.id);
    case 'finish': {
      const seen = await watching?.finish();
      watching = undefined;
      say({ kind: 'finished', chats: seen?.chats ?? [], lags: seen?.lags ?? [] });
    }
  }
}

function say(message: FromWatcher) {
  process.send?.(message);
}
