// Chooses the extractor for a page.
import type { Base, Element } from '@harvestman/html/internal'
import { readFacts } from './facts.ts'
import { run, selectorsOf } from './run.ts'
import { likeness, pathShape, printOf, sameTemplate } from './template.ts'
import type { LearnedRead, Program } from './types.ts'

/** The values that were read, and the index of the program that read them. */
export interface ReadBy extends LearnedRead {
  readonly program: number
}

/** Bonus in likeness if the URL has the same shape as the URLs of the program's pages. */
const ofPath = 0.1

/** Reads a page with the program of the most similar template. Returns `undefined` if none is similar enough. */
export function readLearned(root: Element, base: Base, url: string, programs: readonly Program[]): ReadBy | undefined {
  const facts = readFacts(root, base, programs.flatMap(selectorsOf))
  const print = printOf(facts)
  const path = pathShape(url)
  const ranked = programs
    .map((program, index) => ({
      program,
      index,
      alike: likeness(program.print, print) + (program.path === path ? ofPath : 0),
    }))
    .filter(({ alike }) => alike >= sameTemplate)
    .toSorted((one, other) => other.alike - one.alike)
  const [best] = ranked
  return best && { ...run(facts, best.program, print), program: best.index }
}
