import { z } from 'zod'

import { tariff } from '../credits/tariff.ts'
import type { MarkedUp, PageQuestion, Structured } from '@harvestman/asking'
import { isRecord, type EngineError, type Json, type JsonSchema, type Usage } from '@harvestman/ports'
import { llmPort } from '../plugin/core-ports.ts'
import { defineFormat } from '../plugin/define.ts'
import { missingPort } from '../plugin/missing-port.ts'
import { citationsOption } from '../schema/citation.ts'
import { readTokens } from '../schema/omitted.ts'
import { jsonSchema } from '../schema/json-schema.ts'
import { promptOptions } from '../schema/words.ts'
import { markdown } from './markdown.ts'
import type { DeriveContext, Field } from '../plugin/field.ts'
import type { PortMap } from '../plugin/port.ts'
import { placesOf } from '../citations/places.ts'
import { pageFilled, pageText } from './readings.ts'
import type { Filled } from '@harvestman/html/internal'

/** Schema used for a prompt without one: the model chooses the properties. */
const anyObject = { type: 'object' } as const

const withoutModel = (subject: string, missing: readonly string[]): EngineError =>
  missingPort(llmPort, 'The format json', { subject, missing })

/** What to extract from a page. */
export interface ExtractionTask extends Pick<DeriveContext, 'store' | 'clock' | 'signal' | 'read'> {
  readonly page: { readonly url: string; readonly html: string }
  readonly schema: JsonSchema
  readonly prompt: string | undefined
}

/** Known values for the pages of a site: `find` runs before the model is called, `learn` stores the model's result. */
export interface KnownAnswers {
  find(task: ExtractionTask): Promise<MarkedUp | undefined>
  learn(task: ExtractionTask, answer: Json): Promise<void>
}

const options = z.object({
  schema: jsonSchema
    .meta({
      title: 'Schema',
      description: 'JSON Schema of the data. In code, also a zod schema, which parses the data.',
    })
    .optional(),
  ...promptOptions,
  citations: citationsOption,
  maxTokens: readTokens,
  as: z
    .array(z.enum(['json', 'extract']))
    .min(1)
    .max(2)
    .meta({
      title: 'Property',
      description: 'Properties of the document that contain the data. Version 1 of the API also uses `extract`.',
      deprecated: true,
    })
    .optional(),
})

type Context = DeriveContext<z.output<typeof options>, PortMap, { llm: typeof llmPort }>

interface Needed {
  readonly markdown: string
  readonly pageFilled: Filled | undefined
  readonly pageText?: string
}

/** The format `json`: values from the page's structured data, and otherwise from a language model that reads its text. */
export const json = jsonFormat()

/**
 * Creates the format `json`. `known` values are used before a model is called, and its results are passed to `known`, but not
 * with `redactPII`. `filled` reads the page in place of the built-in reading; its options are `schemaToFill`. A plugin that
 * lists the format replaces the built-in one.
 */
export function jsonFormat(known?: KnownAnswers, filled: Field<string, Filled | undefined> = pageFilled) {
  return defineFormat({
    type: 'json',
    options,
    optionsUnder: 'jsonOptions',
    valueFits: 'schema',
    oneOf: ['schema', 'prompt'],
    propertiesFor: ({ as = ['json'] }) => as,
    uses: { llm: llmPort },
    // Only a model can follow a prompt.
    requiresFor: ({ prompt }) => (prompt === undefined ? [] : [llmPort]),
    minTimeout: 60_000,
    locates: ({ citations }) => citations === true,
    value: z.unknown().describe('The extracted data. It matches the schema, if there is one.'),
    redacts: true,
    needs: { markdown, pageFilled: filled, ...(known && { pageText }) },
    derive: async (needed, context) => {
      const value = await answer(known, needed, context)
      if (context.options.citations) await citeValue(value, needed.markdown, context)
      return value
    },
    // Values from the page's structured data or known values are free.
    credits: (_, { inputTokens, outputTokens }) => (inputTokens + outputTokens > 0 ? tariff.modelFormat : 0),
    creditsAtMost: () => tariff.modelFormat,
  })
}

async function answer(
  answers: KnownAnswers | undefined,
  { markdown: text, pageFilled: filled, pageText: html = '' }: Needed,
  context: Context,
): Promise<Json> {
  const { askForValue, groundedFields, isComplete, extractStructured, fillFromKnown, wordsOfSchema } =
    await import('@harvestman/asking')
  const { options: asks, page, ports, request, signal, use, warn, omit, explain } = context
  const { schema, prompt, systemPrompt, maxTokens } = asks
  const instruction = prompt ?? 'Find what the schema asks for.'
  const subject = { url: page.url, text }
  const topic = prompt === undefined ? wordsOfSchema(schema ?? anyObject) : undefined
  const question: PageQuestion = { task: instruction, system: systemPrompt, page: subject, maxTokens, topic }
  let usedModel = false
  const noteUse = (usage: Usage): void => {
    usedModel = true
    use(usage)
  }
  const llmContext = ports.llm && { llm: ports.llm, signal, use: noteUse, warn, omit }
  if (!schema) {
    const value = llmContext ? await askForValue(llmContext, question, anyObject) : {}
    explain({ fields: await withPlaces(groundedFields(value, undefined, text), text, context) })
    return value
  }
  // Not with a prompt, which may ask for other data than the page's structured data.
  const marked = prompt === undefined ? (filled as MarkedUp | undefined) : undefined
  const task = { ...context, page: { url: page.url, html }, schema, prompt }
  // Known values come from the HTML, which is not redacted.
  const known = request.redactPII ? undefined : answers
  const found = isComplete(marked) ? undefined : await known?.find(task)
  const sure = found ? fillFromKnown(marked, found) : marked
  const { value, fields } = await extractStructured(
    llmContext ?? { warn, refuse: withoutModel },
    question,
    schema,
    sure,
  )
  if (usedModel) await known?.learn(task, value)
  explain({ fields: await withPlaces(fields, text, context) })
  return value
}

async function citeValue(value: Json, markdown: string, context: Context): Promise<void> {
  const { citablePage, citeValues } = await import('../citations/citations.ts')
  const { page, signal, cite, blocksInFile } = context
  const blocks = await blocksInFile(markdown)
  const cited = await citablePage({ url: page.url, markdown, blocks }, signal)
  cite(await citeValues(value, [cited], signal))
}

/** Adds to the evidence of each value found in the Markdown its page and box, if the page is a file that has pages. */
async function withPlaces(
  fields: Structured['fields'],
  text: string,
  { blocksInFile }: Pick<Context, 'blocksInFile'>,
): Promise<Structured['fields']> {
  const offsets = Object.entries(fields).flatMap(([pointer, evidence]): (readonly [string, number])[] => {
    const { method, position } = isRecord(evidence) ? evidence : {}
    // The position of other methods is that of an element.
    return method === 'model' && typeof position === 'number' ? [[pointer, position]] : []
  })
  const blocks = await blocksInFile(text)
  const located = new Map(offsets.map(([pointer, start]) => [pointer, placesOf(blocks, [start, start + 1])[0]]))
  return Object.fromEntries(
    Object.entries(fields).map(([pointer, evidence]) => {
      const place = located.get(pointer)
      return [pointer, place && isRecord(evidence) ? { ...evidence, ...place } : evidence]
    }),
  )
}
