import type * as re2js from 're2js'

import { lateLibrary } from '@harvestman/toolbox/late-library'

import { readOnce } from './read-once.ts'

const library = lateLibrary(import.meta.url, (require) => require('re2js') as typeof re2js)
type Re2 = re2js.RE2JS

/** Regular expressions of a caller, which match anywhere in a string. */
export interface Patterns {
  readonly isEmpty: boolean
  /** Returns the first pattern that matches. */
  find(text: string): string | undefined
  /** Size of all compiled patterns. The time of `find` grows with it, and with the length of the text. */
  readonly instructions: number
}

/** Why a pattern cannot be used: a sentence that names it. */
export interface PatternProblem {
  readonly problem: string
  /** Index in the list; absent if the list itself is invalid. */
  readonly index?: number
}

const maxPatternLength = 2000

/** Maximum number of patterns in one request. */
export const maxPatterns = 1000
// Time grows with the instructions of the pattern times the length of the string. With these limits the worst known case takes
// 0.06 s for a URL of 2,048 characters (a good pattern takes a microsecond).
const maxInstructions = 1000
const maxTotalInstructions = 5000

/**
 * Compiles a list of patterns for RE2, which does not backtrack, so no pattern can take exponential time, whoever wrote it. RE2
 * supports neither look-around nor back-references. A frozen list is compiled once.
 */
export const compilePatterns: (sources: readonly string[]) => Patterns | PatternProblem = readOnce(compile)

function compile(sources: readonly string[]): Patterns | PatternProblem {
  const compiled = compileAll(sources)
  return 'problem' in compiled ? compiled : patternsOf(sources, compiled)
}

/** Compiles each pattern on its own, within the limits of one list. */
export function compileEach(sources: readonly string[]): ReadonlyMap<string, Patterns> | PatternProblem {
  const compiled = compileAll(sources)
  if ('problem' in compiled) return compiled
  return new Map(sources.map((source, index) => [source, patternsOf([source], compiled.slice(index, index + 1))]))
}

function compileAll(sources: readonly string[]): readonly Re2[] | PatternProblem {
  if (sources.length > maxPatterns) return { problem: `has more than ${maxPatterns} patterns` }
  const compiled: Re2[] = []
  let instructions = 0
  for (const [index, source] of sources.entries()) {
    const pattern = compileOne(source)
    if (typeof pattern === 'string') return { index, problem: `is the pattern ${show(source)}, ${pattern}` }
    compiled.push(pattern)
    instructions += pattern.programSize()
    // Compiling takes time too, so the rest is not compiled.
    if (instructions > maxTotalInstructions)
      return { problem: 'has patterns that are too large together; use fewer or simpler ones' }
  }
  return compiled
}

function patternsOf(sources: readonly string[], compiled: readonly Re2[]): Patterns {
  return {
    isEmpty: sources.length === 0,
    instructions: compiled.reduce((sum, pattern) => sum + pattern.programSize(), 0),
    find(text) {
      const index = compiled.findIndex((pattern) => pattern.test(text))
      return index < 0 ? undefined : sources[index]
    },
  }
}

/** Returns a compiled pattern, or the reason why it is invalid. */
function compileOne(source: string): Re2 | string {
  if (source.length > maxPatternLength) return `which is longer than ${maxPatternLength} characters`
  const unsupported = findUnsupported(source)
  if (unsupported) return unsupported
  const { RE2JS } = library()
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source))
    if (pattern.programSize() <= maxInstructions) return pattern
    return 'which is too large; use fewer alternatives and smaller repeat counts'
  } catch (error) {
    return `which is not a valid regular expression (${reasonOf(error)})`
  }
}

/**
 * Escapes are matched with the character after them, and character classes as a whole, so that parentheses inside them are
 * ignored.
 */
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

/** Returns whether patterns could not be compiled; the value then has the `problem`. */
export function isPatternProblem(value: Patterns | PatternProblem): value is PatternProblem {
  return 'problem' in value
}
