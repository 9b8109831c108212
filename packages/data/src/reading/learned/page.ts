// Learns and runs extractors on HTML strings.
import { openPage } from '@harvestman/html/internal'
import { readFacts, type Facts } from './facts.ts'
import { learn } from './learn.ts'
import type { LearnedRecord } from './pointers.ts'
import { run } from './run.ts'
import type { LearnedRead, Program } from './types.ts'

/** A page with known values, from a model, a person or an example. */
export interface LearnedExample {
  readonly html: string
  readonly url: string
  readonly json: LearnedRecord
}

/**
 * Learns an extractor from example pages, or improves `known`. It can then read other pages with the same template. Without
 * examples, returns `known`, which may be `undefined`.
 */
export function learnProgram(examples: readonly LearnedExample[], known?: Program): Program | undefined {
  return examples.reduce<Program | undefined>((program, { html, url, json }) => {
    return learn({ facts: factsOf(html, url), url, answer: json }, program)
  }, known)
}

/** Extracts the values of a page with a learned extractor. Uncertain values are omitted and listed as doubts. */
export function runProgram(html: string, url: string, program: Program): LearnedRead {
  return run(factsOf(html, url), program)
}

function factsOf(html: string, url: string): Facts {
  const { root, base } = openPage({ html, url }, { onlyMainContent: false, includeTags: [], excludeTags: [] })
  return readFacts(root, base)
}
