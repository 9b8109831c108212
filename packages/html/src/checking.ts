// What the engine checks requests and compares pages with. Not public, as `internal`; it reads no page, so it is little to load.
export { distance, type Fingerprint } from './readings/fingerprint.ts'
export { compileSelector, isProblem } from './select/select.ts'
export { isPattern } from './select/tag-pattern.ts'
