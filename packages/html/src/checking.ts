// Used by the engine to validate requests and compare pages. Not public, like `internal`, but loads only small modules.
export { distance, type Fingerprint } from './readings/fingerprint.ts'
export { compileSelector, isProblem } from './select/select.ts'
export { isPattern } from './select/tag-pattern.ts'
