// Public exports of the package.
export { askForText, askForValue, type LLMContext, type PageQuestion } from './ask-page.ts'
export { checkedLLM } from './checked-llm.ts'
export { changesInWords, changesOfFields, type FieldChanges, type TwoVersions } from './field-changes.ts'
export { loosened, mergeValues } from './merge.ts'
export { isOfTheModel } from './of-the-model.ts'
export {
  groundedFields,
  isComplete,
  structured,
  withKnown,
  type MarkedUp,
  type Structured,
  type NoModelContext,
} from './structured.ts'
export { verbatim } from './verbatim.ts'
