// Helpers for lists that exceed one response or request.

/** A page of a list. */
export interface ListPage<Item> {
  readonly data: readonly Item[]
  /** Cursor of the next page; absent at the end. */
  readonly next?: string | undefined
  /** Name of the cursor in some lists; `null` at the end. */
  readonly cursor?: string | null | undefined
}

/**
 * Yields every item of a paginated list: `itemsOf((after) => client.datasets.rows('prices', { limit: 1_000, after
 * }))`. A plain array is paginated by the number of items so far and ends with an empty page: `itemsOf((_, offset) =>
 * client.monitors.list({ limit: 100, offset }))`. Rejects as `read` does.
 */
export async function* itemsOf<Item>(
  read: (after: string | undefined, count: number) => Promise<ListPage<Item> | readonly Item[]>,
): AsyncGenerator<Item, void, void> {
  let after: string | undefined
  let count = 0
  for (;;) {
    const page = await read(after, count)
    const { data, next, cursor }: ListPage<Item> = 'data' in page ? page : { data: page }
    yield* data
    count += data.length
    after = next ?? cursor ?? undefined
    if ('data' in page ? after === undefined : data.length === 0) return
  }
}

/**
 * Splits items into chunks that fit into one request each. A server accepts 10,000 property names and 10 MB per
 * request, so `for (const rows of chunksOf(all)) await client.datasets.put('prices', { rows })` sends any number of
 * rows. An item that is too large alone is a chunk of its own.
 */
export function* chunksOf<Item>(items: Iterable<Item>): Generator<readonly Item[], void, void> {
  let chunk: Item[] = []
  let names = 0
  let characters = 0
  for (const item of items) {
    const json = JSON.stringify(item)
    const more = json.split(':').length
    if (chunk.length > 0 && (names + more > maxNames || characters + json.length > maxCharacters)) {
      yield chunk
      chunk = []
      names = 0
      characters = 0
    }
    chunk.push(item)
    names += more
    characters += json.length
  }
  if (chunk.length > 0) yield chunk
}

const maxNames = 9_000
/** A character takes up to three bytes in a body. */
const maxCharacters = 3_000_000
