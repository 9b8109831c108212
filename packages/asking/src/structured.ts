// A value of a page that fits a schema: first what the page marks up for programs, then a model for what is left.
import { type Json, type JsonSchema, isRecord } from '@harvestman/ports'
import { findMisfits } from '@harvestman/json-schema'
import { deepFreeze } from '@harvestman/ports/adapters'
import { askForValue, type Asker, type PageQuestion } from './ask-page.ts'
import { groundIn, leavesOf } from './ground.ts'

/** What the page marks up, in the shape of the schema. */
export interface MarkedUp {
  readonly value: Json | undefined
  /** By JSON Pointer into the value. */
  readonly evidence: Readonly<Record<string, object>>
  /** JSON Pointers of what stayed empty. */
  readonly missing: readonly string[]
  /** The parts of the page where all of that may stand: the model is shown these first. */
  readonly excerpt?: string
}

/** Whether nothing stayed empty. */
export function isWhole(marked: MarkedUp | undefined): boolean {
  return marked !== undefined && marked.missing.length === 0
}

/** What is marked up, and for what stayed empty what is known otherwise. */
export function withKnown(marked: MarkedUp | undefined, known: MarkedUp): MarkedUp {
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

/** A value that fits the schema, and the evidence for each part of it. */
export interface Structured {
  readonly value: Json
  /** For each value by its JSON Pointer: how it was found and where it stands. */
  readonly fields: Readonly<Record<string, Json>>
}

/** In place of a model: a warning for what is not marked up but may be absent, and the refusal for what may not. */
export interface WithoutModel extends Pick<Asker, 'warn'> {
  refuse(says: string, missing: readonly string[]): Error
}

/** Fills the schema from what is marked up, and asks the model, when there is one, for the rest. */
export async function structured(
  asker: Asker | WithoutModel,
  question: PageQuestion,
  schema: JsonSchema,
  marked: MarkedUp | undefined,
): Promise<Structured> {
  const sure = sureOf(marked, schema)
  if (marked && isWhole(marked) && isAll(sure, marked, schema))
    return { value: sure.value, fields: groundedFields(sure.value, marked, question.page.text) }
  if (!('llm' in asker)) return withoutModel(asker, question, schema, sure, marked)
  const rest = deepFreeze(without(schema, Object.keys(sure.value)))
  const asking = withAnswered(question, sure.value)
  const asked = (await askOfExcerpt(asker, asking, rest, marked)) ?? (await askForValue(asker, asking, rest))
  const value = isRecord(asked) ? { ...asked, ...sure.value } : asked
  // What is marked up may not go with what the model found; then the model answers for all.
  const whole = findMisfits(value, schema).length === 0 ? value : await askForValue(asker, question, schema)
  return { value: whole, fields: groundedFields(whole, marked, question.page.text) }
}

/** The answer from a part of the page; none when something is missing in it, or does not stand there. */
async function askOfExcerpt(
  asker: Asker,
  question: PageQuestion,
  schema: JsonSchema,
  marked: MarkedUp | undefined,
): Promise<Json | undefined> {
  const { excerpt, missing = [] } = marked ?? {}
  const { properties } = schema
  if (excerpt === undefined || !isRecord(properties) || excerpt.length * leastSaving > question.page.text.length)
    return undefined
  const task = `${question.task}\n\nThe text has only the parts of the page where it may stand.`
  const page = { ...question.page, text: excerpt }
  // What a part of the page does not have need not be answered.
  const answer = await askForValue(asker, { ...question, task, page }, deepFreeze({ ...schema, required: [] }))
  const grounded = groundIn(excerpt)
  const found = new Map(leavesOf(answer))
  const isFound = (pointer: string): boolean => {
    const leaf = found.get(pointer)
    return leaf !== undefined && leaf !== null && grounded.find(leaf) !== undefined
  }
  return missing.every(isFound) && findMisfits(answer, schema).length === 0 ? answer : undefined
}

/** A part that is not smaller by this is no saving: the page may have to be shown after it. */
const leastSaving = 2

function isAll({ value }: Sure, marked: MarkedUp, schema: JsonSchema): boolean {
  const found = isRecord(marked.value) ? Object.keys(marked.value) : []
  return found.every((name) => Object.hasOwn(value, name)) && findMisfits(value, schema).length === 0
}

interface Sure {
  readonly value: JsonSchema
}

/** The properties that are marked up as a whole: none of their parts is missing, and they fit. */
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
  const words = `What is known of it already, and need not be given again: ${JSON.stringify(known).slice(0, 4_000)}`
  return { ...question, task: `${question.task}\n\n${words}` }
}

function withoutModel(
  { warn, refuse }: WithoutModel,
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

/** How each value was found. One of a model that stands nowhere in the page says so. */
export function groundedFields(
  value: Json,
  marked: MarkedUp | undefined,
  text: string,
): Readonly<Record<string, Json>> {
  const grounded = groundIn(text)
  const known = new Map(isRecord(marked?.value) ? leavesOf(marked.value) : [])
  return Object.fromEntries(
    leavesOf(value).map(([pointer, leaf]) => {
      const evidence = marked?.evidence[pointer]
      if (evidence && known.get(pointer) === leaf) return [pointer, { ...evidence, isGrounded: true }]
      const found = grounded.find(leaf)
      return [pointer, found ? { method: 'model', ...found, isGrounded: true } : { method: 'model', isGrounded: false }]
    }),
  )
}
