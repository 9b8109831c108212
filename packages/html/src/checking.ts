// Used by the engine to validate requests and compare pages. Not public, like `internal`, but loads only small modules.
export { distance, type Fingerprint } from './readings/fingerprint.ts'
export { compileSelector, isProblem } from './select/select.ts'
export { isPattern } from './select/tag-pattern.ts'

/** Functions that load the code that reads pages, in parts: one part takes less time than all of it in one turn of the event loop. */
export const pageReaderParts: readonly (() => Promise<unknown>)[] = [
  () => import('./parse/parse.ts'),
  () => import('./visible/hidden.ts'),
  () => import('./main-content/judge.ts'),
  () => import('./page/page.ts'),
  () => import('./facts/facts.ts'),
  () => import('./internal.ts'),
]
