import type * as re2js from 're2js'

import { lateLibrary } from '@harvestman/ports/adapters'

import { readOnce } from './read-once.ts'

const library = lateLibrary(import.meta.url, (require) => require('re2js') as typeof re2js)
type Re2 = re2js.RE2JS

/** Regular expressions of a caller, looked for anywhere in a text. */
export interface Patterns {
  readonly isEmpty: boolean
  /** The first one that is found in the text. */
  find(text: string): string | undefined
}

/** What cannot be used, and why: a sentence that names the pattern. */
export interface PatternProblem {
  readonly problem: string
  /** Its place in the list; absent when it is the list that is wrong. */
  readonly index?: number
}

const longestPattern = 2000

/** The most patterns of one request. */
export const mostPatterns = 1000
// Time grows with the instructions of the pattern times the letters of the text. With these bounds the worst that was
// found takes 0.06 s for an address of 2,048 letters (a good one, a microsecond).
const mostInstructions = 1000
const mostInstructionsInAll = 5000

/**
 * Compiles a list of patterns for an engine that never goes back (that of RE2), so no pattern can run away, wherever it comes
 * it. That engine knows neither look-around nor back-references. A list that is frozen is compiled once.
 */
export const compilePatterns: (sources: readonly string[]) => Patterns | PatternProblem = readOnce(compile)

function compile(sources: readonly string[]): Patterns | PatternProblem {
  if (sources.length > mostPatterns) return { problem: `has more than ${mostPatterns} patterns` }
  const compiled: Re2[] = []
  let instructions = 0
  for (const [index, source] of sources.entries()) {
    const pattern = compileOne(source)
    if (typeof pattern === 'string') return { index, problem: `is the pattern ${show(source)}, ${pattern}` }
    compiled.push(pattern)
    instructions += pattern.programSize()
  }
  if (instructions > mostInstructionsInAll)
    return { problem: 'has patterns that are too large together; use fewer or simpler ones' }
  return {
    isEmpty: sources.length === 0,
    find(text) {
      const index = compiled.findIndex((pattern) => pattern.test(text))
      return index < 0 ? undefined : sources[index]
    },
  }
}

/** A pattern, or why there is none. */
function compileOne(source: string): Re2 | string {
  if (source.length > longestPattern) return `which is longer than ${longestPattern} characters`
  const unsupported = findUnsupported(source)
  if (unsupported) return unsupported
  const { RE2JS } = library()
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source))
    if (pattern.programSize() <= mostInstructions) return pattern
    return 'which is too large; use fewer alternatives and smaller repeat counts'
  } catch (error) {
    return `which is not a valid regular expression (${reasonOf(error)})`
  }
}

/** Backslashes are read with what follows them, and classes as a whole: what looks like more in there is not. */
const parts = /\\(?<escape>[\s\S])|\[\^?(?:\\[\s\S]|\[:\^?\w+:\]|[^\\\]])*\]|(?<look>\(\?<?[=!])/g

function findUnsupported(source: string): string | undefined {
  for (const { groups } of source.matchAll(parts)) {
    if (groups?.['look']) return 'which looks ahead or behind; that is not supported'
    if (/[1-9k]/.test(groups?.['escape'] ?? '')) return 'which has a back-reference; that is not supported'
  }
  return undefined
}

function reasonOf(error: unknown): string {
  const { message } = error as Error
  return message.replace(/^error parsing regexp: /, '').replace(/: `[^]*$/, '')
}

function show(source: string): string {
  return JSON.stringify(source.length > 60 ? `${source.slice(0, 57)}…` : source)
}

/** Whether patterns could not be compiled. */
export function isPatternProblem(value: Patterns | PatternProblem): value is PatternProblem {
  return 'problem' in value
}
