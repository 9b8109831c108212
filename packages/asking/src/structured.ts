// Extracts a value that fits a schema: structured data of the page first, then the language model for missing fields.
import { type Json, type JsonSchema, isRecord } from '@harvestman/ports'
import { findMisfits } from '@harvestman/json-schema'
import { deepFreeze } from '@harvestman/ports/values'
import { askForValue, type LLMContext, type PageQuestion } from './ask-page.ts'
import { indexText, listLeafValues } from './ground.ts'

/** Values found without a model, in the shape of the schema. */
export interface MarkedUp {
  readonly value: Json | undefined
  /** Evidence by JSON Pointer into the value. */
  readonly evidence: Readonly<Record<string, object>>
  /** JSON Pointers of the empty fields. */
  readonly missing: readonly string[]
  /** The parts of the page that probably contain the missing fields. The model reads these first. */
  readonly excerpt?: string
}

/** Returns whether no field is missing. False without `marked`. */
export function isComplete(marked: MarkedUp | undefined): boolean {
  return marked !== undefined && marked.missing.length === 0
}

/**
 * Returns `marked` with its missing fields filled from `known`, values from another source. A property that is incomplete is
 * replaced as a whole. Returns `known` alone if `marked` is absent or either value is not an object.
 */
export function fillFromKnown(marked: MarkedUp | undefined, known: MarkedUp): MarkedUp {
  if (!marked || !isRecord(marked.value) || !isRecord(known.value)) return known
  const partly = new Set(marked.missing.map(firstStep))
  const own = Object.fromEntries(Object.entries(marked.value).filter(([name]) => !partly.has(name)))
  const isOwn = (pointer: string): boolean => Object.hasOwn(own, firstStep(pointer))
  const evidence = Object.entries(known.evidence).filter(([pointer]) => !isOwn(pointer))
  return {
    value: { ...known.value, ...own },
    evidence: { ...marked.evidence, ...Object.fromEntries(evidence) },
    missing: known.missing.filter((pointer) => !isOwn(pointer)),
    ...(known.excerpt !== undefined && { excerpt: known.excerpt }),
  }
}

/** A value that fits the schema, with evidence for each field. */
export interface Structured {
  readonly value: Json
  /** How and where each value was found, by JSON Pointer. */
  readonly fields: Readonly<Record<string, Json>>
}

/** Used without a model: warns about missing optional fields, and builds the error for required ones. */
export interface NoModelContext extends Pick<LLMContext, 'warn'> {
  refuse(says: string, missing: readonly string[]): Error
}

/**
 * Fills the schema from `marked`, the values found without a model, then asks the model, if there is one, for the rest. Rejects
 * with the errors of the model. Without a model, a value that does not fit the schema, or no value at all, throws the error
 * from `refuse`, and missing optional fields give a warning.
 */
export async function extractStructured(
  llmContext: LLMContext | NoModelContext,
  question: PageQuestion,
  schema: JsonSchema,
  marked: MarkedUp | undefined,
): Promise<Structured> {
  const sure = sureOf(marked, schema)
  if (marked && isComplete(marked) && isAll(sure, marked, schema))
    return { value: sure.value, fields: groundedFields(sure.value, marked, question.page.text) }
  if (!('llm' in llmContext)) return withoutModel(llmContext, question, schema, sure, marked)
  const rest = deepFreeze(without(schema, Object.keys(sure.value)))
  const asking = withAnswered(question, sure.value)
  const found = (await askOfExcerpt(llmContext, asking, rest, marked)) ?? (await askForValue(llmContext, asking, rest))
  const value = isRecord(found) ? { ...found, ...sure.value } : found
  // The combined value may not fit the schema; then the model answers the whole question.
  const complete = findMisfits(value, schema).length === 0 ? value : await askForValue(llmContext, question, schema)
  return { value: complete, fields: groundedFields(complete, marked, question.page.text) }
}

/** Asks about the excerpt only. Returns `undefined` if the excerpt is too large or lacks one of the missing fields. */
async function askOfExcerpt(
  llmContext: LLMContext,
  question: PageQuestion,
  schema: JsonSchema,
  marked: MarkedUp | undefined,
): Promise<Json | undefined> {
  const { excerpt, missing = [] } = marked ?? {}
  const { properties } = schema
  if (excerpt === undefined || !isRecord(properties) || excerpt.length * minSavingFactor > question.page.text.length)
    return undefined
  const task = `${question.task}\n\nThe text has only the parts of the page where it may stand.`
  const page = { ...question.page, text: excerpt }
  // The excerpt may lack some fields, so none is required here.
  const answer = await askForValue(llmContext, { ...question, task, page }, deepFreeze({ ...schema, required: [] }))
  const grounded = indexText(excerpt)
  const found = new Map(listLeafValues(answer))
  const isFound = (pointer: string): boolean => {
    const leaf = found.get(pointer)
    return leaf !== undefined && leaf !== null && grounded.find(leaf) !== undefined
  }
  return missing.every(isFound) && findMisfits(answer, schema).length === 0 ? answer : undefined
}

/**
 * The excerpt must be this many times smaller than the page. Otherwise it saves nothing, as the full page may have to be sent
 * too.
 */
const minSavingFactor = 2

function isAll({ value }: Sure, marked: MarkedUp, schema: JsonSchema): boolean {
  const found = isRecord(marked.value) ? Object.keys(marked.value) : []
  return found.every((name) => Object.hasOwn(value, name)) && findMisfits(value, schema).length === 0
}

interface Sure {
  readonly value: JsonSchema
}

/** Returns the top-level properties that are complete and fit the schema. */
function sureOf(marked: MarkedUp | undefined, schema: JsonSchema): Sure {
  const { properties } = schema
  if (!marked || !isRecord(marked.value) || !isRecord(properties)) return { value: {} }
  const partly = new Set(marked.missing.map(firstStep))
  const sure = Object.entries(marked.value).filter(([name, value]) => {
    const rule = properties[name]
    if (partly.has(name) || value === undefined || !isRecord(rule)) return false
    return findMisfits(value, { ...rule, ...definitions(schema) }).length === 0
  })
  return { value: Object.fromEntries(sure) }
}

function firstStep(pointer: string): string {
  return (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
}

function definitions({ $defs, definitions: older }: JsonSchema): JsonSchema {
  return { ...($defs !== undefined && { $defs }), ...(older !== undefined && { definitions: older }) }
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties, required } = schema
  if (names.length === 0 || !isRecord(properties)) return schema
  const known = new Set(names)
  const left = Object.entries(properties).filter(([name]) => !known.has(name))
  return {
    ...schema,
    properties: Object.fromEntries(left),
    ...(Array.isArray(required) && {
      required: (required as readonly Json[]).filter((name) => !(typeof name === 'string' && known.has(name))),
    }),
  }
}

function withAnswered(question: PageQuestion, known: JsonSchema): PageQuestion {
  if (Object.keys(known).length === 0) return question
  return { ...question, known: JSON.stringify(known).slice(0, 4_000) }
}

function withoutModel(
  { warn, refuse }: NoModelContext,
  question: PageQuestion,
  schema: JsonSchema,
  { value }: Sure,
  marked: MarkedUp | undefined,
): Structured {
  const all = isRecord(marked?.value) ? { ...marked.value, ...value } : value
  const misfits = findMisfits(all, schema)
  const missing = (marked?.missing ?? []).map((pointer) => pointer.slice(1)).filter(Boolean)
  if (misfits.length > 0 || Object.keys(all).length === 0) {
    const what = missing.length > 0 ? ` (${missing.slice(0, 8).join(', ')})` : ''
    const says = `The page does not mark up all that the schema requires${what}, and to look for it in the text`
    throw refuse(says, missing)
  }
  if (missing.length > 0)
    warn(`json has what the page marks up; ${missing.slice(0, 8).join(', ')} would need a language model.`)
  return { value: all, fields: groundedFields(all, marked, question.page.text) }
}

/**
 * Returns the evidence of each value except `null`, by JSON Pointer: that of `marked` for an equal value, else where `text` has
 * it. Values that are not in the text have `isGrounded: false`.
 */
export function groundedFields(
  value: Json,
  marked: MarkedUp | undefined,
  text: string,
): Readonly<Record<string, Json>> {
  const grounded = indexText(text)
  const known = new Map(isRecord(marked?.value) ? listLeafValues(marked.value) : [])
  return Object.fromEntries(
    listLeafValues(value).map(([pointer, leaf]) => {
      const evidence = marked?.evidence[pointer]
      if (evidence && known.get(pointer) === leaf) return [pointer, { ...evidence, isGrounded: true }]
      const found = grounded.find(leaf)
      return [pointer, found ? { method: 'model', ...found, isGrounded: true } : { method: 'model', isGrounded: false }]
    }),
  )
}
