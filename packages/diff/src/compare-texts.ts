// What comparing takes: it runs where no page, however large, holds up others.
import { createHash } from 'node:crypto'

import { parseKept } from '@harvestman/ports/adapters'
import { compilePatterns, isPatternProblem, type Patterns } from '@harvestman/json-schema'
import { linesOf, sameness, type PageLine } from './noise.ts'
import { textDiff, type TextDiff } from './text-diff.ts'

/** A page as it is compared, and kept. */
export interface PageText {
  readonly markdown: string
  /** Words in it that are not compared. */
  readonly hidden: readonly string[]
}

/** A result of a comparison that can be asked for. */
export type Finding = 'kept' | 'isSame' | 'diff' | 'previous'

/** Two texts of a page, and what is asked about them. */
export interface CompareTask {
  readonly now: PageText | KeptText
  readonly before?: PageText | KeptText
  /** Lines that one of them finds are not compared. */
  readonly patterns: readonly string[]
  /** Of pages that are the same, what comes after `isSame` is left out. */
  readonly wanted: readonly Finding[]
}

/** The JSON of a page, as it is kept. */
export type KeptText = Uint8Array

/** The results that were asked for. */
export interface Compared {
  /** What is kept of the page as it is now. */
  readonly kept?: { readonly bytes: KeptText; readonly digest: string }
  readonly isSame?: boolean
  readonly diff?: TextDiff
  /** The Markdown of the page before. */
  readonly previous?: string
}

/** Compares two texts of a page, in place. */
export function compareTexts({ now, before, patterns, wanted }: CompareTask): Compared {
  const kept = wanted.includes('kept') ? { kept: printed(now) } : {}
  if (before === undefined) return kept
  const [mine, theirs] = [textIn(now), textIn(before)]
  // Of pages that are the same to the letter no pattern is compiled. In a thread the list comes anew with each task.
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
  return now.markdown === before.markdown || sameness(current()) === sameness(previous())
}

function textIn(text: PageText | KeptText): PageText {
  return text instanceof Uint8Array ? (parseKept(new TextDecoder().decode(text)) as PageText) : text
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
