import { type Block, type Inline, readNote } from '@/lib/report/note';

/** A note in Markdown. It is built of elements, not of HTML, so that no tag in it can be more than text. */
export function Note({ text }: { text: string }) {
  return (
    <div className="grid gap-1.5 border-l-2 border-line pl-3 wrap-anywhere">
      {keyed(readNote(text)).map(([key, block]) => block && <OneBlock key={key} block={block} />)}
    </div>
  );
}

function OneBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'code':
      return <pre className="overflow-x-auto bg-sunken p-2 font-mono text-2xs">{block.text}</pre>;
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List className={`pl-5 ${block.isOrdered ? 'list-decimal' : 'list-disc'}`}>
          {keyed(block.items).map(([key, item]) => (
            <li key={key}>
              <Line of={item} />
            </li>
          ))}
        </List>
      );
    }
    case 'heading':
      return (
        <p className="font-semibold">
          <Line of={block.of} />
        </p>
      );
    case 'quote':
      return (
        <blockquote className="border-l-2 border-hairline pl-2 text-soft">
          <Line of={block.of} />
        </blockquote>
      );
    case 'paragraph':
      return (
        <p className="whitespace-pre-line">
          <Line of={block.of} />
        </p>
      );
  }
}

function Line({ of }: { of: readonly Inline[] }) {
  return <>{keyed(of).map(([key, piece]) => piece && <Piece key={key} piece={piece} />)}</>;
}

function Piece({ piece }: { piece: Inline }) {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'code':
      return <code className="bg-sunken px-1 font-mono text-2xs">{piece.text}</code>;
    case 'strong':
      return (
        <strong>
          <Line of={piece.of} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Line of={piece.of} />
        </em>
      );
    case 'link':
      return (
        <a href={piece.href} rel="noreferrer nofollow" target="_blank" className="link">
          <Line of={piece.of} />
        </a>
      );
  }
}

/** A note does not change once it is written: the place of a piece is its name. */
function keyed<T>(list: readonly T[]): [string, T][] {
  return list.map((each, index) => [String(index), each]);
}
