/** The part of a chunk that a comparison needs. */
export interface ChunkMark {
  readonly id: string
  readonly headings: readonly string[]
}

/** How the chunks of a page differ from earlier ones. */
export interface ChunkDelta<Chunk extends ChunkMark> {
  readonly added: readonly Chunk[]
  /** Chunks in the place of an earlier one. */
  readonly changed: readonly (readonly [before: ChunkMark, now: Chunk])[]
  readonly removed: readonly ChunkMark[]
  /** Number of chunks that are on the page as before, in any order. */
  readonly same: number
}

const maxHeadings = 200

/** Returns the headings up to a total length of 200 characters. */
export function shortHeadings(headings: readonly string[]): readonly string[] {
  let left = maxHeadings
  return headings.flatMap((heading) => {
    const text = heading.slice(0, left)
    left -= text.length
    return text === '' ? [] : [text]
  })
}

/**
 * Compares the chunks of a page with earlier ones, by their ids. A new chunk counts as changed if it follows the same unchanged
 * chunk as one that is gone; of several, chunks below the same headings are paired first.
 */
export function compareChunks<Chunk extends ChunkMark>(
  before: readonly ChunkMark[],
  now: readonly Chunk[],
): ChunkDelta<Chunk> {
  const missing = grouped(before, new Set(now.map(({ id }) => id)))
  const fresh = grouped(now, new Set(before.map(({ id }) => id)))
  const added: Chunk[] = []
  const changed: (readonly [ChunkMark, Chunk])[] = []
  const removed: ChunkMark[] = []
  for (const [after, chunks] of fresh) {
    const pairs = pairsOf(missing.get(after) ?? [], chunks)
    changed.push(...pairs.both)
    added.push(...pairs.now)
    removed.push(...pairs.before)
  }
  for (const [after, old] of missing) if (!fresh.has(after)) removed.push(...old)
  return { added, changed, removed, same: now.length - added.length - changed.length }
}

/** Pairs chunks below the same headings, then the others in order. Returns the pairs and the chunks without one. */
function pairsOf<Chunk extends ChunkMark>(before: readonly ChunkMark[], now: readonly Chunk[]) {
  const byHeadings = Map.groupBy(before, headingsKey)
  const both: (readonly [ChunkMark, Chunk])[] = []
  const left = now.filter((chunk) => {
    const old = byHeadings.get(headingsKey(chunk))?.shift()
    if (old) both.push([old, chunk])
    return !old
  })
  const paired = new Set(both.map(([old]) => old))
  const old = before.filter((chunk) => !paired.has(chunk))
  const count = Math.min(old.length, left.length)
  for (const [index, chunk] of left.slice(0, count).entries()) {
    const one = old[index]
    if (one) both.push([one, chunk])
  }
  return { both, now: left.slice(count), before: old.slice(count) }
}

function headingsKey({ headings }: ChunkMark): string {
  return JSON.stringify(shortHeadings(headings))
}

/** Returns the chunks whose ids are not in `known`, grouped by the id of the last known chunk before them. */
function grouped<Chunk extends ChunkMark>(
  chunks: readonly Chunk[],
  known: ReadonlySet<string>,
): ReadonlyMap<string | undefined, readonly Chunk[]> {
  const groups = new Map<string | undefined, Chunk[]>()
  let after: string | undefined
  for (const chunk of chunks) {
    if (known.has(chunk.id)) {
      after = chunk.id
      continue
    }
    const group = groups.get(after)
    if (group) group.push(chunk)
    else groups.set(after, [chunk])
  }
  return groups
}
