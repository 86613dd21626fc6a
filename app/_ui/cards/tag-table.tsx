import type { CardColumn } from "#app/cards-view.ts";
import { percent } from "#lib/format.ts";
import { Unknown } from "../rate.tsx";
import { TagLink } from "./column-links.tsx";
import { letterOf } from "./matrix-order.ts";
import { apartEdge, columnWidth } from "./matrix-row.tsx";

/** Rows drawn; a card with hundreds of tags has them in its matrix all the same. */
const TAGS_MAX = 60;

/** Cases passed per tag and card. A tag leads to its cases. */
export function TagTable({ columns, tags }: { columns: CardColumn[]; tags: string[] }) {
  const names = columns.map(({ name }) => name);
  return (
    <>
      <table className="block w-full table-fixed text-sm md:table">
        <caption className="sr-only">Cases passed, all runs, by tag</caption>
        <colgroup>
          <col />
          {names.map((name) => (
            <col key={name} style={{ width: columnWidth(columns.length) }} />
          ))}
        </colgroup>
        <thead className="hidden md:table-header-group">
          <tr className="border-strong border-b text-left text-muted text-xs">
            <th scope="col" className="py-1 font-normal">
              Tag
            </th>
            {columns.map(({ name, letter }, at) => (
              <th key={name} scope="col" className={`px-2 py-1 font-normal ${apartEdge(columns, at)}`}>
                <span className="font-mono">{letter}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block md:table-row-group">
          {tags.slice(0, TAGS_MAX).map((tag) => (
            <tr key={tag} className="block border-line border-b py-1 md:table-row md:py-0">
              <th scope="row" className="block text-left font-normal md:table-cell md:py-1 md:pr-4">
                <TagLink names={names} tag={tag} />
              </th>
              {columns.map((column, at) => (
                <td
                  key={column.name}
                  className={`flex items-center gap-2 md:table-cell md:px-2 ${apartEdge(columns, at)}`}
                >
                  <span className="w-5 font-mono text-muted text-xs md:hidden">{letterOf(at)}</span>
                  <TagCell column={column} tag={tag} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {tags.length > TAGS_MAX && (
        <p className="mt-2 text-muted text-xs">{`${tags.length - TAGS_MAX} more tags: choose one in the list above the cases.`}</p>
      )}
    </>
  );
}

function TagCell({ column, tag }: { column: CardColumn; tag: string }) {
  const row = column.head.by_tag?.find((one) => one.tag === tag);
  if (row === undefined) return <Unknown why="no case of this card has the tag" />;
  const { passed, total, passed_any } = row;
  const any = passed_any === null || passed_any === passed ? "" : `, ${passed_any} with any run`;
  return (
    <span
      title={`${percent({ hits: passed, of: total }, 1)} of ${total} cases${any}`}
      className="flex flex-wrap items-center gap-x-2 whitespace-nowrap"
    >
      <span aria-hidden="true" className="relative block h-2 w-16 overflow-hidden rounded-xs bg-hover">
        {passed_any !== null && (
          <span
            className="absolute inset-y-0 left-0 bg-strong/40"
            style={{ width: `${(100 * passed_any) / total}%` }}
          />
        )}
        <span
          className="absolute inset-y-0 left-0 bg-accent"
          style={{ width: `${(100 * passed) / total}%` }}
        />
      </span>
      <span>{`${passed} / ${total}`}</span>
      {any !== "" && <span className="text-muted text-xs">{`any run: ${passed_any}`}</span>}
    </span>
  );
}
