// Public exports of the package.
export { askForText, askForValue, type LLMContext, type PageQuestion } from './ask-page.ts'
export { wordsOfSchema } from './excerpt.ts'
export { checkedLLM } from './checked-llm.ts'
export { changesInWords, changesOfFields, type FieldChanges, type TwoVersions } from './field-changes.ts'
export { indexText, listLeafValues, type GroundedText, type TextSpan } from './ground.ts'
export { loosenSchema, mergeValues } from './merge.ts'
export { isModelError } from './is-model-error.ts'
export {
  groundedFields,
  isComplete,
  extractStructured,
  fillFromKnown,
  type MarkedUp,
  type Structured,
  type NoModelContext,
} from './structured.ts'
export { findVerbatimPassages } from './verbatim.ts'
