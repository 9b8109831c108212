import { statusSign, type StatusSign } from './format.ts'
import type { JobRow } from '@harvestman/client'

/** A column that the list can be sorted by. */
export type SortKey = 'url' | 'status' | 'at' | 'bytes' | 'credits'

/** Filter and order of the rows of a job. */
export interface RowView {
  /** Substring of the URL or the title. */
  readonly word: string
  readonly kind: StatusSign['kind'] | ''
  /** Default: order of completion. */
  readonly sort: SortKey | undefined
  readonly isDown: boolean
}

export const sortNames: Readonly<Record<SortKey, string>> = {
  status: 'Status',
  url: 'URL',
  bytes: 'Size',
  credits: 'Credits',
  at: 'Time',
}

export const kindNames: Readonly<Record<StatusSign['kind'], string>> = {
  ok: 'Status 2xx',
  moved: 'Status 3xx',
  refused: 'Status 4xx',
  broken: 'Status 5xx',
  none: 'No status',
}

/** Reads filter and order from the page's URL. Invalid values are ignored. */
export function rowViewOf(query: URLSearchParams): RowView {
  const sort = query.get('sort') ?? ''
  const key = sort.replace(/^-/, '')
  const kind = query.get('kind') ?? ''
  return {
    word: query.get('q') ?? '',
    kind: isKind(kind) ? kind : '',
    sort: isSortKey(key) ? key : undefined,
    isDown: sort.startsWith('-'),
  }
}

function isKind(text: string): text is StatusSign['kind'] {
  return Object.hasOwn(kindNames, text)
}

function isSortKey(text: string): text is SortKey {
  return Object.hasOwn(sortNames, text)
}

/** Returns the query string of a filter and order. */
export function queryOfRows({ word, kind, sort, isDown }: RowView): Readonly<Record<string, string>> {
  return {
    ...(word && { q: word }),
    ...(kind && { kind }),
    ...(sort && { sort: isDown ? `-${sort}` : sort }),
  }
}

/** Returns the filtered and sorted rows, without changing the given list. */
export function rowsOf(rows: readonly JobRow[], { word, kind, sort, isDown }: RowView): readonly JobRow[] {
  const wanted = word.toLowerCase()
  const found =
    wanted === '' && kind === ''
      ? rows
      : rows.filter(
          (row) =>
            (wanted === '' || wordsOf(row).includes(wanted)) && (kind === '' || statusSign(row.status).kind === kind),
        )
  if (sort === undefined) return found
  const way = isDown ? -1 : 1
  return found.toSorted((one, other) => way * compare(one[sort], other[sort]))
}

const words = new WeakMap<JobRow, string>()

/** Returns the searchable text of a row. It is cached, because each keystroke searches all rows. */
function wordsOf(row: JobRow): string {
  const known = words.get(row)
  if (known !== undefined) return known
  const found = `${row.url}\n${row.title ?? ''}`.toLowerCase()
  words.set(row, found)
  return found
}

function compare(one: string | number | undefined, other: string | number | undefined): number {
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0
  return Number(one ?? -1) - Number(other ?? -1)
}
