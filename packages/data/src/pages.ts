// Reads data from HTML without an engine. Also works in browsers and workers.
export { learnProgram, runProgram, type LearnedExample } from './reading/learned/page.ts'
export type { LearnedRecord } from './reading/learned/pointers.ts'
export type {
  Alternative as LearnedAlternative,
  DoubtReason,
  FieldProgram,
  LearnedEvidence,
  LearnedRead,
  LearnedValue,
  ListProgram,
  Program as LearnedProgram,
} from './reading/learned/types.ts'
export { extractData } from './reading/products/products.ts'
export { readItems } from './reading/lists/items.ts'
export type { ItemColumn, ItemKind, ItemList, ItemPrice, ItemRow, ItemValue } from './reading/lists/types.ts'
