// Changes between two versions of a page, field by field.
import { type Json, type JsonSchema, isRecord } from '@harvestman/ports'
import { askForValue, type LLMContext } from './ask-page.ts'

export interface FieldChange {
  readonly previous: Json
  readonly current: Json
}

/** Changes by field name. */
export type FieldChanges = Readonly<Record<string, FieldChange>>

/** Two versions of a page. */
export interface TwoVersions {
  readonly url: string
  readonly previous: string
  readonly current: string
  /** Line diff of the two versions, used when there is no schema. */
  readonly diff: string
}

/**
 * Extracts both versions with the schema and returns the top-level fields whose values differ; an absent value is `null`. A
 * result that is not an object is the field `value`. Rejects with the errors of the model.
 */
export async function changesOfFields(
  llmContext: LLMContext,
  { url, previous, current }: TwoVersions,
  schema: JsonSchema,
  prompt: string | undefined,
): Promise<FieldChanges> {
  const task = prompt ?? 'Find what the schema asks for.'
  const read = (text: string): Promise<Json> => askForValue(llmContext, { task, page: { url, text } }, schema)
  const [before, now] = await Promise.all([read(previous), read(current)])
  const [one, other] = [asRecord(before), asRecord(now)]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const changed = names.filter((name) => JSON.stringify(one[name] ?? null) !== JSON.stringify(other[name] ?? null))
  return Object.fromEntries(
    changed.map((name) => [name, { previous: one[name] ?? null, current: other[name] ?? null }]),
  )
}

const freeShape = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: { previous: {}, current: {} },
    required: ['previous', 'current'],
    additionalProperties: false,
  },
} as const

/**
 * Lets the model name the changed fields without a schema, from the diff alone. A value that did or does not exist is `null`.
 * Rejects with the errors of the model.
 */
export async function changesInWords(
  llmContext: LLMContext,
  { url, diff }: TwoVersions,
  prompt: string | undefined,
): Promise<FieldChanges> {
  const task =
    'Below is what changed on the page: lines with - are gone, lines with + are new. Say what changed in fact: for each field ' +
    'a short name in lower case, what it was before (previous) and what it is now (current), null when it was or is not there.' +
    (prompt === undefined ? '' : ` ${prompt}`)
  const changes = asRecord(await askForValue(llmContext, { task, page: { url, text: diff } }, freeShape))
  return Object.fromEntries(
    Object.entries(changes).map(([name, change = null]) => {
      const { previous = null, current = null } = asRecord(change)
      return [name, { previous, current }]
    }),
  )
}

function asRecord(value: Json): JsonSchema {
  return isRecord(value) ? value : { value }
}
