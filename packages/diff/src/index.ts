// The public names, one by one. What is not here is not public.
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
