// The public exports, listed by name. Anything not listed is private.
export {
  compareTexts,
  type Compared,
  type CompareTask,
  type Finding,
  type KeptText,
  type PageText,
} from './compare-texts.ts'
export { makeComparer, type Comparer, type ComparerOptions } from './comparer.ts'
export type { DiffChange, DiffChunk, DiffFile, TextDiff } from './text-diff.ts'
