// Formats the diff of two pages as a unified diff, like git, and as JSON.
import { diffLines, type Edit } from './line-diff.ts'
import type { PageLine } from './noise.ts'

/** A diff in both formats. Field names as in the public API. */
export interface TextDiff {
  readonly text: string
  readonly json: { readonly files: readonly DiffFile[] }
}

/** A parsed diff, in the format of common parsers of Git diffs. */
export interface DiffFile {
  readonly from: string | null
  readonly to: string | null
  readonly chunks: readonly DiffChunk[]
}

/** Neighbouring changed lines, with the lines around them. */
export interface DiffChunk {
  /** The header, for example `@@ -1,4 +1,5 @@`. */
  readonly content: string
  readonly changes: readonly DiffChange[]
}

/** `content` begins with the sign of the line; line numbers start at 1. */
export type DiffChange =
  | { readonly type: 'add'; readonly add: true; readonly ln: number; readonly content: string }
  | { readonly type: 'del'; readonly del: true; readonly ln: number; readonly content: string }
  | {
      readonly type: 'normal'
      readonly normal: true
      readonly ln1: number
      readonly ln2: number
      readonly content: string
    }

const around = 3

/** Maximum size of a diff. The rest is omitted, because more is of no use to a reader. */
export const diffShows = { lines: 20_000, characters: 2_000_000 } as const

/**
 * Returns the difference as a unified diff and as JSON. Lines that differ only in noise are shown as unchanged, with their
 * current text. A diff of more than 20,000 lines or 2 million characters is cut, with a note. Without differences, the diff
 * has only its two header lines.
 */
export function textDiff(previous: readonly PageLine[], current: readonly PageLine[]): TextDiff {
  const steps = diffLines(
    previous.map(({ key }) => key),
    current.map(({ key }) => key),
  )
  const { chunks, isCut } = writeChunks(chunksOf(steps), previous, current)
  const printed = chunks.flatMap(({ content, changes }) => [content, ...changes.map((change) => change.content)])
  return {
    // Lines that begin with a backslash are not part of the file, as in git's note on a missing line break.
    text: ['--- previous', '+++ current', ...printed, ...(isCut ? [cut] : [])].join('\n'),
    json: { files: [{ from: null, to: null, chunks }] },
  }
}

const cut = '\\ Further changes are omitted.'

function writeChunks(
  all: readonly (readonly Edit[])[],
  previous: readonly PageLine[],
  current: readonly PageLine[],
): { readonly chunks: readonly DiffChunk[]; readonly isCut: boolean } {
  const chunks: DiffChunk[] = []
  let left: Room = diffShows
  for (const steps of all) {
    const { count, rest } = fitting(steps, left, previous, current)
    if (count > 0) chunks.push(writeChunk(steps.slice(0, count), previous, current))
    if (count < steps.length) return { chunks, isCut: true }
    left = rest
  }
  return { chunks, isCut: false }
}

interface Room {
  readonly lines: number
  readonly characters: number
}

/** Returns how many of the steps fit within the limits. */
function fitting(
  steps: readonly Edit[],
  { lines, characters }: Room,
  previous: readonly PageLine[],
  current: readonly PageLine[],
): { readonly count: number; readonly rest: Room } {
  let left = characters
  const end = steps.findIndex((step, index) => {
    const { text = '' } = (step.kind === 'del' ? previous[step.old] : current[step.new]) ?? {}
    left -= text.length + 1
    return index >= lines || left < 0
  })
  const count = end < 0 ? steps.length : end
  return { count, rest: { lines: lines - count, characters: left } }
}

/** Returns the changes with the lines around them; neighbouring changes form one chunk. */
function chunksOf(steps: readonly Edit[]): readonly (readonly Edit[])[] {
  const chunks: Edit[][] = []
  let end = -1
  for (const [index, { kind }] of steps.entries()) {
    if (kind === 'normal') continue
    const start = Math.max(index - around, 0)
    const isNew = start > end
    if (isNew) chunks.push([])
    const to = Math.min(index + around + 1, steps.length)
    for (let at = isNew ? start : end; at < to; at += 1) chunks.at(-1)!.push(steps[at]!)
    end = to
  }
  return chunks
}

function writeChunk(steps: readonly Edit[], previous: readonly PageLine[], current: readonly PageLine[]): DiffChunk {
  const changes = steps.map((step): DiffChange => {
    if (step.kind === 'add') return { type: 'add', add: true, ln: step.new + 1, content: `+${current[step.new]?.text}` }
    if (step.kind === 'del')
      return { type: 'del', del: true, ln: step.old + 1, content: `-${previous[step.old]?.text}` }
    const content = ` ${current[step.new]?.text}`
    return { type: 'normal', normal: true, ln1: step.old + 1, ln2: step.new + 1, content }
  })
  return { content: header(steps), changes }
}

function header(steps: readonly Edit[]): string {
  const places = (side: 'old' | 'new'): string => {
    const on = steps.flatMap((step) =>
      side in step ? [(step as { readonly [key in typeof side]: number })[side] + 1] : [],
    )
    const [first = 0] = on
    return on.length === 1 ? String(first) : `${first},${on.length}`
  }
  return `@@ -${places('old')} +${places('new')} @@`
}
