// Chooses the extractor for a page.
import type { Base, Element } from '@harvestman/html/internal'
import { readFacts } from './facts.ts'
import { run, selectorsOf } from './run.ts'
import { likeness, pathShape, printOf, sameTemplate } from './template.ts'
import type { LearnedRead, Program } from './types.ts'

/** The extracted values, and the index in `programs` that they come from. */
export interface ReadBy extends LearnedRead {
  readonly program: number
}

/** Bonus in likeness if the URL has the same shape as the URLs of the known pages. */
const ofPath = 0.1

/** Extracts values with the most similar template in `programs`. Returns `undefined` if none is similar enough. */
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
