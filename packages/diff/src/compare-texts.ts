// Compares pages. Large pages are compared in threads, so that they do not block the event loop.
import { createHash } from 'node:crypto'

import { parseStored } from '@harvestman/ports/stores'
import { compilePatterns, isPatternProblem, type Patterns } from '@harvestman/json-schema'
import { linesOf, contentKey, type PageLine } from './noise.ts'
import { textDiff, type TextDiff } from './text-diff.ts'

/** The content of a page for comparison, in stored form. */
export interface PageText {
  readonly markdown: string
  /** Passages of the Markdown that are not compared. */
  readonly hidden: readonly string[]
}

/** A requested part of a comparison. */
export type Finding = 'kept' | 'isSame' | 'diff' | 'previous'

/** Two versions of a page, and the requested results. */
export interface CompareTask {
  readonly now: PageText | KeptText
  readonly before?: PageText | KeptText
  /** Lines that match one of these patterns are not compared. */
  readonly patterns: readonly string[]
  /** For equal pages, all results after `isSame` are omitted. */
  readonly wanted: readonly Finding[]
}

/** The JSON of a page, as it is stored. */
export type KeptText = Uint8Array

/** The requested results. */
export interface Compared {
  /** The stored form of the current page. */
  readonly kept?: { readonly bytes: KeptText; readonly digest: string }
  readonly isSame?: boolean
  readonly diff?: TextDiff
  /** The Markdown of the previous page. */
  readonly previous?: string
}

/**
 * Compares two versions of a page synchronously. Without an earlier version, returns only the current one for storage. Equal
 * versions have no diff if `isSame` is requested. Throws `store_failed` for a damaged stored version, and an `Error` for an
 * invalid pattern.
 */
export function compareTexts({ now, before, patterns, wanted }: CompareTask): Compared {
  const kept = wanted.includes('kept') ? { kept: printed(now) } : {}
  if (before === undefined) return kept
  const [mine, theirs] = [textIn(now), textIn(before)]
  // Compile patterns only if the pages differ. In a thread, each task receives a new copy of the list.
  let made: Patterns | undefined
  const compiled = (): Patterns => (made ??= compiledFrom(patterns))
  const [current, previous] = [lines(mine, compiled), lines(theirs, compiled)]
  const isSame = wanted.includes('isSame') ? isSameText(mine, theirs, current, previous) : undefined
  if (isSame) return { ...kept, isSame }
  return {
    ...kept,
    ...(isSame !== undefined && { isSame }),
    ...(wanted.includes('diff') && { diff: textDiff(previous(), current()) }),
    ...(wanted.includes('previous') && { previous: theirs.markdown }),
  }
}

type Lines = () => readonly PageLine[]

function lines({ markdown, hidden }: PageText, patterns: () => Patterns): Lines {
  let made: readonly PageLine[] | undefined
  return () => (made ??= linesOf(markdown, { texts: hidden, patterns: patterns() }))
}

function isSameText(now: PageText, before: PageText, current: Lines, previous: Lines): boolean {
  return now.markdown === before.markdown || contentKey(current()) === contentKey(previous())
}

function textIn(text: PageText | KeptText): PageText {
  return text instanceof Uint8Array ? (parseStored(new TextDecoder().decode(text)) as PageText) : text
}

function printed(text: PageText | KeptText): { readonly bytes: KeptText; readonly digest: string } {
  const bytes = text instanceof Uint8Array ? text : new TextEncoder().encode(jsonOf(text))
  return { bytes, digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) }
}

function jsonOf({ markdown, hidden }: PageText): string {
  return JSON.stringify({ markdown, hidden })
}

function compiledFrom(patterns: readonly string[]): Patterns {
  const compiled = compilePatterns(patterns)
  if (isPatternProblem(compiled)) throw new Error(compiled.problem)
  return compiled
}
