// What the engine reads pages with. Not public: it changes with any release, together with @harvestman/core.
export { distance, fingerprint, type Fingerprint } from './fingerprint.ts'
export { parseHtml } from './parse.ts'
export { readHtml, type ReadingOptions, type ReadingRequest, type ReadingScope, type ReadValues } from './read.ts'
export { compileSelector, isProblem } from './select/select.ts'
export { toHtml } from './serialize.ts'
export { isPattern } from './tag-pattern.ts'
export type { Element, Node, Text } from './tree.ts'
export { nextNode, textOf } from './walk.ts'
